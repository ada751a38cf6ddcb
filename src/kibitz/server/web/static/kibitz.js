// @ts-check
// The kibitz panel: advice of agents with reasons, and odds, from the viewer's own view only.

import { button, field, h, redraw, toast } from "./dom.js";
import { advisersFor, botTitle, levelAgents } from "./names.js";
import { withNames } from "./seat_names.js";
import { moveWords } from "./move_words.js";
import { sidePanel } from "./side.js";
import * as storage from "./storage.js";
import { t } from "./texts.js";

const ASKED_ON = 150; // repeats, for odds that improve over time

export function kibitzPanel(at, requests, { point, odds, board }) {
  const content = h("div", {});
  const panel = sidePanel("kibitz", t("Kibitz"), content);
  const who = h("select", { onchange: () => storage.setChoice(`adviser.${at.message.game}`, who.value) });
  let advice = null; // { turn, seat, ... } of the last answer
  let counted = null;
  let everybody = null; // advice of several bots
  let ladder = null; // how search works
  panel.toggled = () => {
    if (!panel.open) everybody?.hide();
    else if (everybody) update();
    else load().catch(() => toast(t("This panel could not be loaded. Check that the server is running, then try again."), "error"));
  };

  // Few visitors open the panel: its larger parts are loaded then.
  async function load() {
    const [{ advisersPanel }, { searchLadder }] = await Promise.all([import("./advisers.js"), import("./search_ladder.js")]);
    everybody ??= advisersPanel(at, requests, { asked, request, point, board });
    ladder ??= searchLadder(at, requests, { asked, request });
    update();
  }

  // The seat asked about: the viewer's own or, if all may be seen, the seat shown or the one to move.
  function asked() {
    const { message, past } = at;
    const turn = past ? past.turn : message.turn;
    const as = past ? past.as : message.as;
    const to_move = (past ?? message).to_move;
    const seat = typeof as === "number" ? as : message.as === "spectator" && !free() ? null : to_move;
    return { turn, seat, to_move };
  }

  const free = () => at.message.state === "finished" || at.message.state === "abandoned" || at.message.options?.open;

  // Whose place it is need not be said of one's own. The server knows what may be asked.
  function request({ turn, seat }) {
    return { turn, ...((free() || seat !== at.message.as) && seat !== null && seat !== undefined ? { seat } : {}) };
  }

  const off = () => at.message.options?.kibitz === false && !free();

  // The odds of a seat at a turn, for a board that draws them; null if not allowed.
  async function oddsOf(seat, turn) {
    try {
      return (await requests.ask({ type: "odds", ...request({ turn, seat }) })).odds;
    } catch {
      return null;
    }
  }

  async function put(question, answered) {
    try {
      answered(await requests.ask({ ...question, ...request(asked()) }));
      update();
    } catch (error) {
      toast(error.message, "error");
    }
  }

  const advise = () => put({ type: "advise", agent: who.value }, (answer) => (advice = answer));

  // If better odds may follow, ask again while the same turn is shown.
  async function countOdds(left = ASKED_ON) {
    let answer = null;
    await put({ type: "odds" }, (found) => (answer = counted = found));
    if (left > 0 && panel.open && (answer?.odds ?? []).some((each) => each?.more) && asked().turn === answer.turn) await countOdds(left - 1);
  }

  function update() {
    if (!at.message || !panel.open || !everybody) return;
    const place = asked();
    const nobody = place.seat === null || place.seat === undefined;
    const current = (answer) => answer && answer.turn === place.turn && (answer.seat === undefined || answer.seat === place.seat);
    const mine = !at.past && (at.message.choices ?? []).length > 0;
    const choice = current(advice) && (at.message.choices ?? []).find((each) => each.move === advice.move);
    const yours = place.seat === place.to_move;
    redraw(content,
      off() ? h("p", { class: "muted" }, t("Advice is off at this table."))
      : nobody ? h("p", { class: "muted" }, t("Advice is for players during the game, and for everybody after it."))
      : [
        h("p", { class: "muted small" }, typeof at.message.as === "number" && !at.past ? t("Based only on what you can see.") : t("Based only on what {name} sees.", { name: at.names[place.seat] })),
        h("div", { class: "row ask" }, field(t("Ask"), who), button(t("What would you do?"), advise, { "data-key": "advise", disabled: !yours, title: yours ? "" : t("Only for the player to move") })),
        current(advice) && h("div", { class: "advice", onmouseenter: () => choice && point(choice), onmouseleave: () => point(null) },
          h("p", {}, h("strong", {}, `${botTitle(advice.agent, at.message.game)}: `), moveWords(advice.move, advice.choice, at)),
          advice.expects && h("p", { class: "expects" }, t("It {text}.", { text: advice.expects.text })),
          advice.reason && h("p", { class: "why" }, withNames(advice.reason, at.names)),
          mine && choice && button(t("Play this"), () => requests.move(advice.move), { "data-key": "do-that" })),
        everybody.element,
        button(t("Show the odds"), () => countOdds(), { "data-key": "odds" }),
        current(counted) && h("div", { class: "odds", tabindex: 0, role: "group", "aria-label": t("Odds") }, (counted.odds ?? []).length ? odds(counted.odds) ?? null : h("p", { class: "muted" }, t("No odds in this position."))),
        ladder.element,
      ]);
    ladder.update();
    if (off() || nobody) everybody.hide();
    else everybody.update();
  }

  return {
    panel,
    hear: (message) => everybody?.hear(message),
    odds: oddsOf,
    off,
    broken: () => everybody?.broken(),
    update() {
      if (at.message && who.childElementCount === 0) {
        const game = at.game;
        if (game) {
          const { fitting, others } = advisersFor(game, at.message.seats);
          const group = (label, agents) => agents.length > 0 && h("optgroup", { label }, agents.map((agent) => h("option", { value: agent.name }, agent.title)));
          redraw(who, group(t("Fit these players"), fitting), group(t("Play by another code"), others));
          const kept = storage.choice(`adviser.${game.name}`, levelAgents(game.levels.at(-1), at.message.seats.length)[0]);
          if ([...who.options].some(({ value }) => value === kept)) who.value = kept;
        }
      }
      update();
    },
  };
}
