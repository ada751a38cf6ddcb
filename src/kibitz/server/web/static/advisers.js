// @ts-check
// Ask several agents at once. Their recommendations are grouped by move, with supporters and reasons; the most popular
// move can be drawn on the cards.

import "./more_texts.js";
import { announce, button, h, redraw, toast } from "./dom.js";
import { advisersFor, botTitle, levelAgents } from "./names.js";
import { moveWords } from "./move_words.js";
import { withNames } from "./seat_names.js";
import { markAdvice } from "./advice_marks.js";
import * as storage from "./storage.js";
import { t } from "./texts.js";

const MOST = 12; // the server's limit

export function advisersPanel(at, requests, { asked, request, point, board }) {
  const status = h("p", { class: "muted small", role: "status" });
  const list = h("ol", { class: "opinions" });
  const boxes = h("div", { class: "boxes" });
  const foreign = h("div", { class: "boxes" });
  const ask = button(t("Ask all advisers"), send);
  const draw = button(t("Show on the cards"), () => { drawn = !drawn; update(); });
  const element = h("section", { class: "everybody", "aria-label": t("Advice of several bots") },
    h("div", { class: "row" }, ask, draw),
    h("details", { class: "whom" }, h("summary", {}, t("Choose advisers")), h("fieldset", {}, h("legend", {}, t("Up to {n}, strongest first", { n: MOST })), boxes),
      h("details", { class: "foreign", hidden: true }, h("summary", {}, t("Play by another code")), h("p", { class: "muted small" }, t("These do well with their own kind, and less well with people.")), foreign)),
    status, list);
  const open = new Set(); // moves whose reasons are open
  let drawn = false;
  let round = { place: "", thinking: new Set(), answers: [] };

  const title = (name) => botTitle(name, at.game.name);
  const placeOf = ({ turn, seat }) => `${turn} ${seat}`;
  const advisers = () => advisersFor(at.game, at.message.seats);
  const fitting = () => advisers().fitting.map((agent) => agent.name);
  const able = () => [...fitting(), ...advisers().others.map((agent) => agent.name)];

  // The default advisers are the strongest that fits these players, and those of the levels.
  function chosen() {
    const levels = at.game.levels.flatMap((level) => levelAgents(level, at.message.seats.length));
    const kept = storage.choice(`advisers.${at.game.name}`, []);
    const some = able().filter((name) => kept.includes(name));
    return (some.length ? some : fitting().filter((name, index) => index === 0 || levels.includes(name))).slice(0, MOST);
  }

  function choose(name, wanted) {
    const others = chosen().filter((each) => each !== name);
    storage.setChoice(`advisers.${at.game.name}`, wanted ? [...others, name] : others);
    update();
  }

  async function send() {
    const agents = chosen();
    const mine = { place: placeOf(asked()), thinking: new Set(agents), answers: [] };
    round = mine;
    update();
    try {
      await requests.askAll({ type: "advise_all", agents, ...request(asked()) });
    } catch (error) {
      mine.thinking.clear();
      toast(error.message, "error");
      update();
    }
  }

  function hear(message) {
    if (round.place !== placeOf(message)) return;
    round.thinking.delete(message.agent);
    round.answers.push(message);
    const [first] = opinions();
    if (first && !message.remaining) announce(t("{n} of {most} advise: {move}.", { n: first.who.length, most: first.of, move: moveWords(first.move, first.choice, at) }));
    update();
  }

  // The most popular move comes first; ties go to the strongest adviser.
  function opinions() {
    const order = able();
    const answers = round.answers.filter((each) => each.move).sort((one, other) => order.indexOf(one.agent) - order.indexOf(other.agent));
    const moves = [...new Set(answers.map((each) => each.move))].map((move) => {
      const who = answers.filter((each) => each.move === move);
      return { move, who, of: answers.length, choice: who[0].choice };
    });
    return moves.sort((one, other) => other.who.length - one.who.length);
  }

  function opinion({ move, who, of, choice }) {
    const share = `${Math.round((100 * who.length) / of)}%`;
    const lit = () => point(choice && { seat: who[0].seat, ...choice });
    const dark = () => point(null);
    const legal = !at.past && at.message.choices?.some((each) => each.move === move);
    const why = h("details", { open: open.has(move), ontoggle: () => (why.open ? open.add(move) : open.delete(move)) }, h("summary", { "data-key": `why-${move}` }, t("Why")),
      h("dl", {}, who.map((each) => [h("dt", {}, title(each.agent)), h("dd", { class: "why" }, withNames(each.reason, at.names))])));
    return h("li", { class: "opinion", data: { move }, onmouseenter: lit, onmouseleave: dark, onfocusin: lit, onfocusout: dark },
      h("p", { class: "what" }, h("strong", {}, moveWords(move, choice, at)), h("span", {}, `${t("{n} of {most}", { n: who.length, most: of })} · ${share}`)),
      h("div", { class: "share", "aria-hidden": "true" }, h("span", { style: { "--share": share } })),
      h("ul", {}, who.map((each) => h("li", {}, title(each.agent), each.expects && h("span", { class: "expects" }, ` ${each.expects.text}`)))),
      why,
      legal && button(t("Play this"), () => requests.move(move), { "data-key": `do-${move}` }));
  }

  function box(name, names) {
    const input = h("input", { type: "checkbox", "data-key": `ask-${name}`, onchange: () => choose(name, input.checked) });
    input.checked = names.includes(name);
    input.disabled = !input.checked && names.length >= MOST;
    return h("label", { class: "check" }, input, ` ${title(name)}`);
  }

  function update() {
    if (!at.game) return;
    const place = asked();
    const current = round.place === placeOf(place);
    const shown = current ? opinions() : [];
    const names = chosen();
    const thinking = [...round.thinking].map(title).join(", ");
    const words = !current ? "" : [thinking && t("Thinking: {thinking} …", { thinking }), ...round.answers.map((each) => each.failed)].filter(Boolean).join(" ");
    if (status.textContent !== words) status.textContent = words;
    redraw(boxes, fitting().map((name) => box(name, names)));
    const others = advisers().others.map((agent) => agent.name);
    if (foreign.parentElement.hidden) foreign.parentElement.toggleAttribute("open", others.some((name) => names.includes(name)));
    redraw(foreign, others.map((name) => box(name, names)));
    foreign.parentElement.hidden = others.length === 0;
    ask.disabled = place.seat !== place.to_move || (current && round.thinking.size > 0);
    draw.hidden = !shown.length || !at.game.hides; // only boards of cards can show it
    draw.setAttribute("aria-pressed", String(drawn));
    redraw(list, shown.map(opinion));
    markAdvice(board, drawn && shown[0]?.choice, (at.past ?? at.message).view);
  }

  return {
    element,
    hear,
    update,
    hide: () => markAdvice(board, null),
    broken: () => round.thinking.clear(), // pending answers are lost
  };
}
