// @ts-check
// Nine places: free ones are buttons; the last mark and a row of three are highlighted.

import { button, reducedMotion, h, redraw } from "/static/dom.js";
import { boardFrame, sidePlates, waitingWords, yourTurn } from "/static/frame.js";
import { t } from "/static/texts.js";

const NAMES = { "✕": "cross", "○": "circle" };
const WORDS = { "✕": t("cross"), "○": t("circle") };
const TOP_DOWN = [6, 7, 8, 3, 4, 5, 0, 1, 2];
const text = (place) => `${"abc"[place % 3]}${Math.floor(place / 3) + 1}`;

export function mount(root, actions) {
  const frame = boardFrame(root, actions, { sides: true });
  const places = h("div", { class: "places", role: "group", "aria-label": t("The board") });
  frame.field.append(places);
  let choices = [];
  let ahead = {}; // the context, for moves before one's turn
  let fresh = null;

  function place(at, view) {
    const mark = view.marks[at];
    const move = text(at);
    const legal = (among) => among.find((each) => each.move === move);
    const open = legal(choices) || (ahead.premoves && !mark);
    const press = () => (ahead.premoves ? actions.premove(legal, move) : actions.move(move));
    const label = mark ? `${move}, ${WORDS[mark]}` : t("{place}, free", { place: move });
    const marked = `${view.last === at ? "last" : ""} ${view.row.includes(at) ? "row" : ""} ${fresh === at && !reducedMotion() ? "fresh" : ""} ${ahead.premove === move ? "premoved" : ""}`;
    return button(mark, press, { class: `place ${NAMES[mark] ?? ""} ${marked}`, disabled: !open, data: { key: move, mark: "✕○"[ahead.premoves ? ahead.as : view.to_move] }, "aria-label": label });
  }

  return {
    keys: [["1 … 9", t("mark a place, as on a number pad")]],
    key(event) {
      const at = Number(event.key) - 1;
      const free = Number.isInteger(at) && at >= 0 && root.querySelector(`[data-key="${text(at)}"]:not([disabled])`);
      if (free) /** @type {HTMLElement} */ (free).click();
      return Boolean(free);
    },
    animate(event) {
      fresh = "abc".indexOf(event.move[0]) + 3 * (Number(event.move[1]) - 1);
    },
    render(view, context) {
      choices = context.choices;
      ahead = context;
      frame.update(context);
      sidePlates(frame, context, { sign: (seat) => h("span", { class: `sign-disc ${NAMES["✕○"[seat]]}`, role: "img", "aria-label": WORDS["✕○"[seat]] }, "✕○"[seat]) });
      redraw(frame.prompt, choices.length > 0 ? yourTurn(t("Choose a free place.")) : waitingWords(context));
      redraw(places, TOP_DOWN.map((at) => place(at, view)));
      fresh = null;
    },
  };
}
