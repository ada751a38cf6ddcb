// @ts-check
// Compare search techniques in the current position: minimax, then one technique more per step, as a table with bars,
// and the first moves of the tree with its cut-offs. For games with perfect information.

import "./more_texts.js";
import { announce, button, dialog, field, h, options, redraw, toast } from "./dom.js";
import * as storage from "./storage.js";
import { localized, t, tn } from "./texts.js";

const DEPTHS = [1, 2, 3, 4, 5, 6, 7, 8];
const WON = 9000; // points: larger values are wins, not estimates

const count = (number) => number.toLocaleString("en");
const points = (value) => (value === null ? "?" : value > WON ? "wins" : value < -WON ? "loses" : `${value < 0 ? "−" : "+"}${Math.abs(Math.round(value))}`);

export function searchLadder(at, requests, { asked, request }) {
  const depth = h("select", { onchange: () => storage.setChoice("ladder.depth", depth.value) });
  options(depth, DEPTHS.map((plies) => [plies, plies]), storage.choice("ladder.depth", 5));
  const result = h("div", {});
  const ask = button(t("Compare search techniques"), send, { "data-key": "ladder" });
  const element = h("details", { class: "ladder" }, h("summary", {}, t("How search works here")), h("div", { class: "row ask" }, field(t("Depth (plies)"), depth), ask), result);
  let found = null;
  let waits = false;

  async function send() {
    waits = true;
    update();
    try {
      found = await requests.ask({ type: "ladder", depth: Number(depth.value), ...request(asked()) });
      show();
      announce(found.steps.map((step) => t("{name}: {count} positions", { name: localized(step.name), count: count(step.nodes) })).join(", "));
    } catch (error) {
      toast(error.message, "error");
    }
    waits = false;
    update();
  }

  // Bars are logarithmic: next to minimax all others would vanish.
  function row(step, most) {
    const width = Math.max(2, Math.round((100 * Math.log(Math.max(step.nodes, 2))) / Math.log(Math.max(most, 3))));
    return h("tr", { class: step.finished ? "" : "stopped" },
      h("th", { scope: "row" }, localized(step.name)),
      h("td", {}, points(step.value)),
      h("td", {}, step.move ?? "?"),
      h("td", { class: "nodes" }, h("span", { class: "bar", "aria-hidden": "true", style: { width: `${width}%` } }), h("span", { class: "number" }, `${step.finished ? "" : "> "}${count(step.nodes)}`)),
      h("td", {}, count(step.cutoffs)),
      h("td", {}, `${(1000 * step.seconds).toFixed(1)}`));
  }

  function table({ steps }) {
    const most = Math.max(...steps.map((step) => step.nodes));
    const stopped = steps.some((step) => !step.finished);
    return [
      h("div", { class: "scrolled", tabindex: 0, role: "group", "aria-label": t("Search techniques compared") },
        h("table", {},
          h("thead", {}, h("tr", {}, ["", t("value"), t("move"), t("positions"), t("cut-offs"), "ms"].map((text) => h("th", { scope: "col" }, text)))),
          h("tbody", {}, steps.map((step) => row(step, most))))),
      h("p", { class: "small muted" }, t("Values are in points for the player to move. Bars are logarithmic.")),
      stopped && h("p", { class: "small muted" }, t("> means stopped at the limit, with positions left to search.")),
    ];
  }

  function tree({ tree: drawing, depth: plies }) {
    if (!drawing) return h("p", { class: "small muted" }, t("The tree is too large to draw. Choose a smaller depth."));
    return h("div", { class: "scrolled tree", tabindex: 0, role: "group", "aria-label": t("The tree") },
      h("img", { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing)}`, alt: t("The first moves of the tree, {plies} plies deep: the player to move maximizes, the opponent minimizes; alpha-beta cut-offs are dashed, with scissors", { plies }) }));
  }

  function show() {
    const title = `${at.game.title}: ${found.turn ? t("after turn {turn}", { turn: found.turn }) : t("start position")}, ${tn(found.depth, "{n} ply deep", "{n} plies deep")}`;
    const box = dialog(title, table(found), found.line.length > 0 && h("p", {}, t("Main line: {moves}", { moves: found.line.join(", ") })), tree(found));
    box.classList.add("large", "ladder");
  }

  function summary() {
    const [first, last] = [found.steps[0], found.steps.at(-1)];
    return h("p", { class: "small" }, t("{name}: {count} positions; with all techniques: {last}.", { name: localized(first.name), count: `${first.finished ? "" : "> "}${count(first.nodes)}`, last: count(last.nodes) }), " ", button(t("Show again"), show, { "data-key": "ladder-again" }));
  }

  function update() {
    const place = asked();
    element.hidden = !at.game?.ladder;
    ask.disabled = waits || place.to_move === null || place.to_move === undefined;
    redraw(result, waits ? h("p", { class: "muted", role: "status" }, t("Searching …")) : found && found.turn === place.turn ? summary() : []);
  }

  return { element, update };
}
