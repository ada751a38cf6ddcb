// Everybody's advice: several agents are asked at once, and what they recommend is shown move by move, with who agrees,
// what those expect who search, and why. The most recommended move can be drawn on the cards.

import { announce, button, h, redraw, toast } from "./dom.js";
import { botTitle, levelAgents } from "./names.js";
import { withNames } from "./people.js";
import { markAdvice } from "./advice_marks.js";
import * as keep from "./keep.js";

const MOST = 12; // agents that the server lets one ask at once

// The agents that may advise, the strongest first; those who were never measured come last.
export function advisers(game, players) {
  const score = (agent) => agent.scores?.[players]?.mean ?? -Infinity;
  const honest = game.agents.filter((agent) => !agent.traits?.includes("cheats"));
  return honest.sort((one, other) => score(other) - score(one) || game.agents.indexOf(one) - game.agents.indexOf(other));
}

// Who is asked by who has not chosen: the strongest, and those of the levels.
function usual(game, players) {
  const ordered = advisers(game, players);
  const levels = new Set(game.levels.flatMap((level) => levelAgents(level, players)));
  return ordered.filter((agent, index) => index === 0 || levels.has(agent.name)).slice(0, MOST).map((agent) => agent.name);
}

// A move in words; a choice of Love Letter has the parts for a sentence.
export function moveWords(move, choice, names, me) {
  if (!choice?.card) return withNames(move, names);
  const on = choice.target === null || choice.target === undefined ? "" : ` on ${choice.target === me ? "yourself" : names[choice.target]}`;
  return `${choice.card}${on}${choice.named ? `, naming ${choice.named}` : ""}`;
}

const share = (part, all) => `${Math.round((100 * part) / all)} %`;

export function everybodysAdvice(at, talk, { asked, request, point, board }) {
  const status = h("p", { class: "muted small", role: "status" });
  const list = h("ol", { class: "opinions" });
  const boxes = h("div", { class: "boxes" });
  const whom = h("details", { class: "whom" }, h("summary", {}, "Whom to ask"), h("fieldset", {}, h("legend", {}, `Up to ${MOST}, the strongest first`), boxes));
  const ask = button("Ask everybody", send, { "data-key": "ask-everybody" });
  const draw = button("Show on the cards", () => { drawn = !drawn; update(); }, { "data-key": "draw-advice", "aria-pressed": "false" });
  const element = h("section", { class: "everybody", "aria-label": "Everybody's advice" }, h("div", { class: "row" }, ask, draw), whom, status, list);
  const open = new Set(); // moves whose reasons are unfolded
  let drawn = false;
  let round = null; // the place asked about, who still thinks, and the answers by agent

  const title = (name) => botTitle(name, at.game.name);
  const key = ({ turn, seat }) => `${turn} ${seat}`;
  const players = () => at.message.seats.length;
  const words = (move, choice) => moveWords(move, choice, at.names, at.message.as);
  const chosen = () => {
    const known = advisers(at.game, players()).map((agent) => agent.name);
    const kept = keep.choice(`advisers.${at.game.name}`, null)?.filter((name) => known.includes(name));
    return kept?.length ? kept : usual(at.game, players());
  };

  async function send() {
    const place = asked();
    const agents = chosen();
    const mine = { key: key(place), thinking: new Set(agents), answers: new Map() };
    round = mine;
    update();
    try {
      await talk.askAll({ type: "advise_all", agents, ...request(place) });
    } catch (error) {
      mine.thinking.clear();
      if (error.code !== "broken") toast(error.message, "error");
      update();
    }
  }

  function hear(message) {
    if (!round || round.key !== key(message)) return;
    round.thinking.delete(message.agent);
    round.answers.set(message.agent, message);
    if (message.left === 0) {
      round.thinking.clear();
      const [first] = opinions();
      if (first) announce(`${first.who.length} of ${first.of} advise: ${words(first.move, first.choice)}.`);
    }
    update();
  }

  // What was recommended, the move most agree on first; among equals, that of the strongest.
  function opinions() {
    const order = advisers(at.game, players()).map((agent) => agent.name);
    const answers = [...round.answers.values()].filter((each) => each.move).sort((one, other) => order.indexOf(one.agent) - order.indexOf(other.agent));
    const groups = Map.groupBy ? Map.groupBy(answers, (each) => each.move) : answers.reduce((all, each) => all.set(each.move, [...(all.get(each.move) ?? []), each]), new Map());
    return [...groups].map(([move, who]) => ({ move, who, of: answers.length, choice: who[0].choice })).sort((one, other) => other.who.length - one.who.length);
  }

  function opinion({ move, who, of, choice }, mine) {
    const lit = () => point(choice && { seat: who[0].seat, ...choice });
    const dark = () => point(null);
    const legal = mine && (at.message.choices ?? []).some((each) => each.move === move);
    const fold = () => (why.open ? open.add(move) : open.delete(move));
    const reasons = who.filter((each) => each.reason);
    const why = h("details", { open: open.has(move), ontoggle: fold }, h("summary", { "data-key": `why-${move}` }, "Why"),
      h("dl", {}, reasons.map((each) => [h("dt", {}, title(each.agent)), h("dd", { class: "why" }, withNames(each.reason, at.names))])));
    return h("li", { class: "opinion", data: { move }, onmouseenter: lit, onmouseleave: dark, onfocusin: lit, onfocusout: dark },
      h("p", { class: "what" }, h("strong", {}, words(move, choice)), h("span", {}, `${who.length} of ${of} · ${share(who.length, of)}`)),
      h("div", { class: "share", "aria-hidden": "true" }, h("span", { style: { "--share": share(who.length, of).replace(" ", "") } })),
      h("ul", { class: "who" }, who.map((each) => h("li", {}, title(each.agent), each.expects && h("span", { class: "expects" }, ` ${each.expects.text}`)))),
      reasons.length > 0 && why,
      legal && button("Do that", () => talk.move(move), { "data-key": `do-${move}` }));
  }

  function drawBoxes() {
    const names = new Set(chosen());
    const drawnFor = `${at.game.name} ${players()} ${[...names].join()}`;
    if (boxes.dataset.for === drawnFor) return;
    boxes.dataset.for = drawnFor;
    redraw(boxes, advisers(at.game, players()).map((agent) => {
      const box = h("input", { type: "checkbox", "data-key": `ask-${agent.name}`, onchange: () => choose(agent.name, box.checked) });
      box.checked = names.has(agent.name);
      box.disabled = !box.checked && names.size >= MOST;
      return h("label", { class: "check", title: agent.summary }, box, ` ${agent.title}`);
    }));
  }

  function choose(name, wanted) {
    const names = chosen().filter((each) => each !== name);
    keep.setChoice(`advisers.${at.game.name}`, wanted ? [...names, name] : names); // nobody at all is who is asked usually
    update();
  }

  function said(current, shown) {
    if (!current) return "";
    const failed = [...round.answers.values()].filter((each) => each.failed).map((each) => each.failed);
    const waits = [...round.thinking];
    const thinking = waits.length ? `Thinking: ${waits.map(title).join(", ")} …` : shown.length ? "" : "Nobody has any advice.";
    return [thinking, ...failed].filter(Boolean).join(" ");
  }

  function update() {
    if (!at.game) return;
    const place = asked();
    const current = Boolean(round) && round.key === key(place);
    const mine = !at.past && place.seat === at.message.as;
    const shown = current ? opinions() : [];
    drawBoxes();
    ask.disabled = place.seat !== place.to_move || (current && round.thinking.size > 0);
    ask.title = place.seat === place.to_move ? "" : "Advice is for the seat to move";
    draw.hidden = !shown.some((each) => each.choice);
    draw.setAttribute("aria-pressed", String(drawn));
    const thinking = said(current, shown);
    if (status.textContent !== thinking) status.textContent = thinking;
    redraw(list, shown.map((each) => opinion(each, mine)));
    markAdvice(board, drawn && element.isConnected ? shown[0]?.choice : null, (at.past ?? at.message).view);
  }

  return {
    element,
    hear,
    update,
    hide: () => markAdvice(board, null),
    broken() {
      round?.thinking.clear(); // what was being thought about is not told any more
    },
  };
}
