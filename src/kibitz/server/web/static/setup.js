// @ts-check
// Table set-up: seats, rules, seed and options. Also what-if tables, which start in mid-game.

import "./more_texts.js";
import { button, dialog, field, h, options } from "./dom.js";
import { chatModeField } from "./chat.js";
import { createTable } from "./create_table.js";
import { TIMES } from "./clock.js";
import { delayField } from "./spectators.js";
import { botTitle, byLevel, cheats, levelAgents, ruleFields, strength, strengthSentence } from "./names.js";
import * as storage from "./storage.js";
import { localized, t } from "./texts.js";

const MANY = 12; // bots from which on one may search

// Fields for the seats of a table; `read` returns the seats in the server's format.
export function seatFields(game, players, { me = true, first = "me", bots = null, chosen = [] } = {}) {
  const honest = game.agents;
  const bot = bots ?? levelAgents(game.levels[Math.floor((game.levels.length - 1) / 2)], players)[0] ?? honest[0]?.name;
  const rows = [];
  let wanted = ""; // a part of bots' names
  const find = honest.length > MANY && h("input", { type: "search", placeholder: t("Find a bot"), "aria-label": t("Find a bot"), oninput: (event) => { wanted = event.target.value.trim().toLowerCase(); for (const each of rows) each.score(rows.length); } });
  const list = h("ol", { class: "seat-choices" });
  const about = h("p", { class: "about-agent", "aria-live": "polite" });
  function count(n) {
    while (rows.length < n) rows.push(row(rows.length));
    rows.length = n;
    for (const each of rows) each.score(n);
    list.replaceChildren(...rows.map((each) => each.item));
  }
  function row(index) {
    const who = h("select", { "aria-label": t("Seat {n}", { n: index + 1 }), onchange: describe });
    if (me) who.append(h("option", { value: "me" }, t("Me")));
    who.append(h("option", { value: "open" }, t("Open (invite somebody)")));
    const fixed = who.childElementCount;
    // Those of the levels first. The last search leaves the chosen one.
    const score = (n) => {
      const { levels, others, levelOf } = byLevel(game, n);
      const words = (agent) => [agent.title, levelOf(agent) && localized(levelOf(agent)), strength(agent, n, game), cheats(agent) && t("sees its own cards")].filter(Boolean).join(", ");
      const group = (label, agents) => agents.length > 0 && h("optgroup", { label }, agents.map((agent) => h("option", { value: `bot:${agent.name}` }, words(agent))));
      const value = who.value;
      const listed = (agent) => `bot:${agent.name}` === value || agent.title.toLowerCase().includes(wanted) || agent.name.includes(wanted);
      who.replaceChildren(...[...who.children].slice(0, fixed), ...[group(t("Levels"), levels.filter(listed)), group(t("Other bots"), others.filter(listed))].filter(Boolean));
      if (value) who.value = value;
    };
    score(rows.length);
    who.value = chosen[index] ?? (index === 0 && first === "me" && me ? "me" : `bot:${Array.isArray(bot) ? bot[index % bot.length] : bot}`);
    function describe() {
      const agent = honest.find((each) => `bot:${each.name}` === who.value);
      about.textContent = agent ? `${agent.title}: ${agent.summary} ${strengthSentence(agent, rows.length, game)}` : "";
      if (who.value === "me") for (const other of rows) if (other.who !== who && other.who.value === "me") other.who.value = `bot:${bot}`;
    }
    who.addEventListener("focus", describe);
    return { who, describe, score, item: h("li", {}, h("span", { class: "seat-number", "aria-hidden": "true" }, index + 1), who) };
  }
  count(players);
  rows.at(-1)?.describe();
  return {
    element: h("div", {}, find, list, about),
    count,
    read: () => rows.map(({ who }) => who.value.startsWith("bot:") ? { kind: "bot", agent: who.value.slice(4) } : { kind: who.value }),
  };
}

export function setUpTable(shell, game, agent = null) {
  const players = options(h("select", {}), game.players.map((n) => [n, n]), storage.choice(`${game.name}.players`, game.usual_players));
  const seats = seatFields(game, Number(players.value), { bots: agent });
  players.addEventListener("change", () => seats.count(Number(players.value)));
  const kept = (rule) => storage.choice(`${game.name}.table_rule.${rule.name}`, rule.usual);
  const rules = ruleFields(game, kept, field);
  const seed = h("input", { type: "number", min: 0, step: 1, inputmode: "numeric", placeholder: t("random") });
  const pace = h("input", { type: "number", min: 0, max: 60000, step: 100, value: storage.choice("pace", 700) });
  const time = options(h("select", {}), TIMES, 0);
  const kibitz = h("input", { type: "checkbox" });
  kibitz.checked = true;
  const spectators = delayField(game);
  const chat = chatModeField();
  const joinable = h("input", { type: "checkbox" });
  const box = dialog(t("New table: {title}", { title: game.title }),
    h("form", { class: "setup", onsubmit: create },
      field(t("Players"), players),
      h("fieldset", {}, h("legend", {}, t("Seats")), seats.element,
        h("label", { class: "check" }, joinable, ` ${t("Anyone may join from the lobby")}`)),
      game.rules.length > 0 && h("details", { open: game.rules.some((rule) => kept(rule) !== rule.usual) }, h("summary", {}, t("Rules")), rules.rows),
      h("details", {}, h("summary", {}, t("More options")),
        field(t("Seed"), seed, t("The same seed deals the same cards. Everybody sees the seed and that you chose it; not for tables that anyone may join.")),
        field(t("Bot delay per move (ms)"), pace),
        field(t("Time limit per move"), time, t("When it runs out, a bot plays until you take your seat back. The clock runs while any player is at the table.")),
        h("label", { class: "check" }, kibitz, ` ${t("Advice and odds during the game")}`),
        spectators.element, chat.element),
      h("div", { class: "row end" }, button(t("Cancel"), () => box.close()), h("button", { type: "submit", class: "primary" }, t("Create table")))));

  async function create(event) {
    event.preventDefault();
    storage.setChoice("pace", Number(pace.value) || 0);
    for (const [name, choice] of Object.entries(rules.read())) storage.setChoice(`${game.name}.table_rule.${name}`, choice);
    const made = await createTable(shell, {
      type: "create", game: game.name, seats: seats.read(), kibitz: kibitz.checked, bot_delay: Number(pace.value) || 0, joinable: joinable.checked, move_seconds: Number(time.value),
      rules: rules.read(),
      seed: seed.value === "" ? undefined : Number(seed.value), spectators: spectators.read(), chat: chat.read(),
    });
    if (made) box.close();
  }
}

// Continue a game with the same partners. The visitor keeps their seat; a spectator gets that of a person or, if only
// bots played, that of the player to move.
export function whatIf(shell, { game, table, message, past, names }, turn) {
  const { players, mine, missing } = samePlayers(game, message, (past ?? message).to_move ?? 0);
  const seats = seatFields(game, players.length, { chosen: players.map((agent, seat) => (seat === mine ? "me" : `bot:${agent}`)) });
  const box = dialog(t("What if … after turn {turn}", { turn }),
    h("form", { class: "setup", onsubmit: create },
      h("p", {}, turn === 0 ? t("A new table with the same deal, from the start.") : t("A new table that continues after turn {turn} of this game. The same partners play, and remember the game so far. You can choose others.", { turn })),
      missing.length > 0 && h("p", {}, `${missing.map(({ seat, agent }) => t("{bot} plays instead of {name}", { bot: botTitle(agent, game.name), name: names[seat] })).join(", ")}.`),
      h("fieldset", {}, h("legend", {}, t("Seats")), seats.element),
      h("div", { class: "row end" }, button(t("Cancel"), () => box.close()), h("button", { type: "submit", class: "primary" }, t("Play from here")))));
  async function create(event) {
    event.preventDefault();
    const made = await createTable(shell, { type: "what_if", table, turn, seats: seats.read(), bot_delay: storage.choice("pace", 700) });
    if (made) box.close();
  }
}

// The bots of a table by seat, the seat of the visitor, and the seats whose player is replaced by a bot of the middle
// level: other people, and bots that are not installed here.
function samePlayers(game, message, toMove) {
  const named = (seat) => (seat.kind === "bot" && !seat.for ? seat.agent : seat.kind === "absent" ? seat.name : null); // records name bots, too
  const installed = (seat) => game.agents.some((agent) => agent.name === named(seat));
  const person = message.seats.findIndex((seat) => !installed(seat) && (seat.kind !== "bot" || seat.for));
  const mine = typeof message.as === "number" && message.as >= 0 ? message.as : person >= 0 ? person : Math.max(toMove, 0);
  const usual = levelAgents(game.levels[Math.floor((game.levels.length - 1) / 2)], message.seats.length);
  const instead = (seat) => usual[seat % usual.length] ?? game.agents[0].name;
  const players = message.seats.map((seat, index) => (installed(seat) ? named(seat) : instead(index)));
  const missing = players.map((agent, seat) => ({ seat, agent })).filter(({ seat }) => seat !== mine && !installed(message.seats[seat]));
  return { players, mine, missing };
}
