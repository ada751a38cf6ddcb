// @ts-check
// Where opposing pieces may be, by the odds of a seat: on the board, and as a map in the kibitz panel.

import { h, options, svg } from "/static/dom.js";
import * as storage from "/static/storage.js";
import { NAMES } from "/static/chess_pieces.js";
import { localized, t } from "/static/texts.js";

const SWITCH = "kriegspiel.possible";
const EYES = "kriegspiel.eyes";
const APART = 120; // milliseconds between requests

const likeliest = (kinds) => Object.entries(kinds).sort((one, other) => other[1] - one[1])[0][0];
const percent = (share) => share < 0.005 ? "<1%" : `${Math.round(100 * share)}%`;
const UNSURE = t("No sampled position matched all announcements; these have been repaired.");

// A switch for players, or for viewers who see a seat's view. Odds are requested turn by turn and passed to `show(heat)`.
export function possibleSquares(actions, show) {
  const words = h("p", { role: "status" });
  const box = h("input", { type: "checkbox", "data-key": "possible", onchange: () => chosen(SWITCH, box.checked) });
  const eyes = h("select", { "aria-label": t("Known to"), "data-key": "eyes", onchange: () => chosen(EYES, Number(eyes.value)) });
  const element = h("div", { class: "possible" }, h("label", { class: "check" }, box, ` ${t("Show where opposing pieces may be")}`), eyes, words);
  box.checked = storage.choice(SWITCH, false);
  let view = null;
  let context = null;
  let place = null; // the seat and turn whose odds are wanted: { key, seat, turn }, or null
  let shown = null; // the last answer with its place, and the previous number of positions
  let asking = false;
  let asked = -APART; // time of the last request

  function chosen(what, value) {
    storage.setChoice(what, value);
    show(update(view, context));
  }

  // The heat map to draw now; until this turn's odds arrive, that of the last turn.
  function update(nextView, next) {
    [view, context] = [nextView, next];
    const open = context.as === "open"; // all pieces are visible, so the viewer may choose a seat
    const seat = open ? storage.choice(EYES, 0) : typeof context.as === "number" ? context.as : null;
    const turn = context.event?.turn ?? 0;
    // After an undo, the announcements distinguish turns with the same number.
    place = seat === null || context.over || !context.odds ? null : { key: JSON.stringify([seat, turn, view.said]), seat, turn };
    element.hidden = !place;
    eyes.hidden = !open || !box.checked;
    if (open) options(eyes, context.names.map((name, of) => [of, t("known to {name}", { name })]), seat);
    if (wanted()) ask();
    return drawn();
  }

  const wanted = () => element.isConnected && place && box.checked && shown?.key !== place.key;

  // One request at a time, at a limited rate: in fast games some turns are skipped.
  async function ask() {
    if (asking) return;
    asking = true;
    let odds = [];
    while (odds && wanted()) {
      await new Promise((done) => setTimeout(done, asked + APART - performance.now()));
      if (!wanted()) break;
      asked = performance.now();
      const { key, seat, turn } = place;
      odds = await actions.odds(seat, turn); // null if the connection was lost: reconnecting redraws the table
      const before = shown?.seat === seat && shown.turn < turn && shown.set?.exact ? shown.set.positions : null;
      const [set = null, ...squares] = odds ?? [];
      shown = odds && { key, seat, turn, set, squares, before };
      if (place) show(drawn());
    }
    asking = false;
  }

  function drawn() {
    const answer = place && box.checked && shown?.seat === place.seat ? shown : null;
    words.textContent = answer?.set ? said(answer) : "";
    return Object.fromEntries((answer?.squares ?? []).map(({ square, share, kinds }) => {
      const kind = likeliest(kinds);
      return [square, { share, text: `${kind.toUpperCase()} ${percent(share)}`, label: t("may hold a {piece}, {percent}", { piece: NAMES[kind], percent: percent(share) }) }];
    }));
  }

  return { element, update };
}

function said({ set, before }) {
  const changed = set.exact && before !== null && before !== set.positions;
  return `${localized(set.words)}${changed ? ` (${t("{n} before", { n: before })})` : ""}.${set.sure ? "" : ` ${UNSURE}`}`;
}

// The same as a picture: darker is more likely; the letter is the most likely piece.
export function heatMap([set, ...squares]) {
  const place = (name) => [name.charCodeAt(0) - 97, 8 - Number(name[1])];
  const picture = svg("svg", { viewBox: "-0.6 0 8.7 8.7", role: "img", "aria-label": t("{words}. The king may be on {squares}.", { words: localized(set.words), squares: squares.filter(({ kinds }) => kinds.k).map(({ square }) => square).join(", ") }) },
    [...Array(64).keys()].map((n) => svg("rect", { x: n % 8, y: Math.floor(n / 8), width: 1, height: 1, class: (n + Math.floor(n / 8)) % 2 ? "dark" : "light" })),
    squares.map(({ square, share, kinds }) => {
      const [x, y] = place(square);
      return [svg("rect", { x, y, width: 1, height: 1, class: "heat", "fill-opacity": 0.12 + 0.88 * share }),
        svg("text", { x: x + 0.5, y: y + 0.7, "text-anchor": "middle", class: share > 0.5 ? "likely" : "" }, likeliest(kinds).toUpperCase())];
    }),
    [..."abcdefgh"].map((file, n) => svg("text", { x: n + 0.5, y: 8.55, "text-anchor": "middle", class: "edge" }, file)),
    [..."87654321"].map((rank, n) => svg("text", { x: -0.35, y: n + 0.65, "text-anchor": "middle", class: "edge" }, rank)));
  const warning = set.sure ? null : h("p", { class: "muted" }, UNSURE);
  return h("div", { class: "kriegspiel-heat" }, h("p", {}, `${localized(set.words)}.`), warning, picture, h("p", { class: "muted" }, t("Darker is more likely; the letter is the most likely piece: {letters}.", { letters: Object.entries(NAMES).map(([letter, name]) => `${letter.toUpperCase()} ${name}`).join(", ") })));
}
