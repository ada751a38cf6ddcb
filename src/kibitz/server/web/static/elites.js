// @ts-check
// The map of elites: a grid of scores by behaviour. Pointing at a cell shows its details, a click seats its agent.

import "./more_texts.js";
import { button, h, redraw, styleSheet } from "./dom.js";
import { createTable } from "./create_table.js";
import * as storage from "./storage.js";
import { language, localized, t } from "./texts.js";

// The palette cividis, from dark blue to yellow: perceptually uniform, also for the colour-blind.
const COLOURS = [[0, 34, 78], [53, 69, 108], [102, 105, 112], [148, 142, 119], [200, 184, 102], [254, 232, 56]];

function colour(share) {
  const place = Math.min(Math.max(share, 0), 1) * (COLOURS.length - 1);
  const [low, high] = [COLOURS[Math.floor(place)], COLOURS[Math.ceil(place)]];
  return low.map((value, part) => Math.round(value + (high[part] - value) * (place % 1)));
}

const linear = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
/** @param {number[]} colour */
const luminance = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

export async function eliteMap(shell, game) {
  styleSheet("/static/elites.css");
  const answer = await fetch(`/api/elites/${encodeURIComponent(game.name)}.json`);
  if (!answer.ok) throw new Error(answer.statusText);
  const map = await answer.json();
  const [rows, columns] = map.axes.map((axis) => Object.fromEntries(Object.entries(axis).map(([name, text]) => [name, localized(text)])));
  const steps = Array.from({ length: map.size }, (_, place) => place);
  const at = new Map(map.elites.map((elite) => [String(elite.cell), elite]));
  const low = (place) => (place / map.size).toFixed(2);
  const lower = (text) => (language === "en" ? text.toLowerCase() : text);
  const ways = { others: t("with every other elite"), alone: t("with copies of itself") };
  const best = (way) => map.elites.reduce((one, other) => (other[way][0] > one[way][0] ? other : one));
  const called = (elite) => `${rows.title} ${low(elite.cell[0])}, ${lower(columns.title)} ${low(elite.cell[1])}`;
  let way = "others";
  let current = best(way);
  let touched = null; // the cell under a finger: the first tap shows details, the second seats the agent

  const grid = h("table", { class: "elite-map", role: "grid", "aria-label": t("Map of {title}'s elites", { title: game.title }), onkeydown: walk });
  const details = h("div", { class: "elite-details" });
  const choices = Object.entries(ways).map(([name, words]) => button(words, () => choose(name), { "data-key": `way-${name}` }));

  function choose(name) {
    way = name;
    draw();
  }

  const seats = (elite, own) => Array.from({ length: map.players }, (_, seat) => (seat === 0 && !own ? { kind: "me" } : { kind: "bot", agent: elite.name }));
  const sit = (elite, own = false) => createTable(shell, { type: "create", game: game.name, seats: seats(elite, own), bot_delay: own ? 1200 : storage.choice("pace", 700) });

  // Arrow keys move between elites; Tab reaches one of them.
  function walk(event) {
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -map.size], End: [0, map.size] }[event.key];
    if (!steps) return;
    event.preventDefault();
    const far = Math.abs(steps[1]) > 1;
    let [row, column] = current.cell;
    if (far) column = steps[1] < 0 ? -1 : map.size;
    const step = far ? -Math.sign(steps[1]) : steps[1];
    do {
      row += far ? 0 : steps[0];
      column += step;
    } while (row >= 0 && column >= 0 && row < map.size && column < map.size && !at.has(String([row, column])));
    const next = at.get(String([row, column]));
    if (next) grid.querySelector(`[data-cell="${next.cell}"]`).focus();
  }

  function show(elite) {
    grid.querySelector(`[data-cell="${current.cell}"]`)?.setAttribute("tabindex", "-1");
    current = elite;
    grid.querySelector(`[data-cell="${elite.cell}"]`)?.setAttribute("tabindex", "0");
    showDetails();
  }

  const points = ([mean, error]) => t("{mean} ± {error} points", { mean: mean.toFixed(2), error: error.toFixed(2) });

  function showDetails() {
    redraw(details,
      h("h3", {}, current.title),
      h("dl", { class: "figures" },
        [[lower(rows.title), current.behaviour[0].toFixed(2), rows.about], [lower(columns.title), current.behaviour[1].toFixed(2), columns.about],
          [t("with every other elite"), points(current.others)], [t("with copies of itself"), points(current.alone)]]
          .map(([name, value, why]) => h("div", { title: why }, h("dt", {}, name), h("dd", {}, value)))),
      h("p", { class: "small" }, t("It takes the first of these actions that applies:")),
      h("ol", { class: "small elite-does" }, current.does.map((line) => h("li", {}, line))),
      h("div", { class: "row" },
        button(t("Play with it"), () => sit(current), { class: "primary", "data-key": "elite-play" }),
        button(t("Watch it"), () => sit(current, true), { "data-key": "elite-watch" })));
  }

  function cell(row, column, most) {
    const elite = at.get(String([row, column]));
    if (!elite) return h("td", { role: "gridcell" }, h("span", { class: "unseen" }, t("empty")));
    const back = colour(elite[way][0] / most);
    const ink = luminance(back) > 0.179 ? "#000" : "#fff"; // where black and white have equal contrast
    return h("td", { role: "gridcell" }, h("button", {
      type: "button", "data-cell": String(elite.cell), "data-key": `elite-${elite.cell}`, tabindex: elite === current ? 0 : -1,
      style: { background: `rgb(${back.join(" ")})`, color: ink }, onfocus: () => show(elite), onpointerenter: (event) => event.pointerType === "mouse" && show(elite),
      onpointerdown: (event) => { touched = event.pointerType === "touch" && current !== elite ? elite : null; },
      onclick: () => (touched === elite ? show(elite) : sit(elite)),
      "aria-label": t("{elite}: {points} {way}. Play with it.", { elite: called(elite), points: points(elite[way]), way: ways[way] }),
    }, Math.round(elite[way][0])));
  }

  function draw() {
    const most = Math.max(...map.elites.map((elite) => elite[way][0]), 1);
    for (const each of choices) each.setAttribute("aria-pressed", String(each.dataset.key === `way-${way}`));
    redraw(grid,
      h("thead", {}, h("tr", { role: "row" }, h("th", { role: "columnheader", class: "corner" }, h("span", { class: "unseen" }, t("{rows} down, {columns} across", { rows: rows.title, columns: lower(columns.title) }))),
        steps.map((column) => h("th", { role: "columnheader", scope: "col" }, low(column))))),
      h("tbody", {}, steps.map((row) => h("tr", { role: "row" }, h("th", { role: "rowheader", scope: "row" }, low(row)), steps.map((column) => cell(row, column, most))))));
  }

  // In words, what bots at the corners of the map do.
  const corners = (row) => h("p", { class: "elite-corners small muted", "aria-hidden": "true" }, [columns.low, columns.high].map((column) => h("span", {}, `${row}, ${column}`)));
  draw();
  showDetails();
  const [social, lone] = [best("others"), best("alone")];
  return h("section", { class: "card elites", "aria-labelledby": `elites-${game.name}` },
    h("h2", { id: `elites-${game.name}` }, t("Map of playing styles in {title}", { title: game.title })),
    h("p", { class: "small" },
      t("The best evolved bot for each playing style; {n} of {cells} cells have one. Further down they communicate more ({down}), further right they take fewer risks ({right}).", { n: map.elites.length, cells: map.size * map.size, down: rows.about, right: columns.about }), " ",
      t("Numbers are scores with {players} players.", { players: map.players })),
    h("p", { class: "small" },
      t("Best with other elites: {title}, {others} ({alone} with copies of itself).", { title: social.title, others: points(social.others), alone: points(social.alone) }), " ",
      t("Best with copies of itself: {title}, {alone} ({others} with other elites).", { title: lone.title, others: points(lone.others), alone: points(lone.alone) })),
    h("div", { class: "segmented", role: "group", "aria-label": t("Partners") }, choices),
    h("div", { class: "elite-part" },
      h("div", { class: "elite-frame" },
        corners(rows.low),
        h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("Map of elites") }, grid),
        corners(rows.high),
        h("p", { class: "small muted" }, t("Point at a cell for details; click it to play with that bot. Arrow keys move between cells."))),
      h("div", { "aria-live": "polite" }, details)));
}
