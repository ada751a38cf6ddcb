// @ts-check
// The frame that all boards share: a status line, the field, name plates, and the action bar with the last move.

import { button, h, redraw } from "./dom.js";
import { t } from "./texts.js";

// A board of cards has the player's own part and the action bar below the field. A board with two sides (`sides`) has
// their plates above and below its field, or beside it in a wide window.
export function boardFrame(root, actions, { sides = false } = {}) {
  const part = (name) => h("div", { class: name });
  const [status, far, field, near, own, prompt] = ["status", "far", "playfield", "near", "mine", "prompt"].map(part);
  prompt.setAttribute("role", "group");
  prompt.setAttribute("aria-label", t("Your move"));
  const act = h("div", { class: "act" }, actions.lastMove, prompt);
  const element = sides
    ? h("div", { class: "frame sides" }, status, far, field, near, act)
    : h("div", { class: "frame" }, status, field, h("div", { class: "own-area" }, own, act));
  root.append(element);
  return {
    element, status, far, field, near, own, act, prompt,
    // The colours of the frame follow whose turn it is.
    update(context) {
      root.classList.toggle("your-turn", context.choices.length > 0);
      root.classList.toggle("ended", Boolean(context.over));
    },
  };
}

export const nameOf = (context, seat) => context.names[seat] ?? `G${seat + 1}`;

// The plate of a seat: its number or a picture, the name, and what is known of it.
/** @param {any} context @param {number} seat @param {{ mine?: boolean, sign?: any, more?: any[] }} [parts] */
export function plate(context, seat, { mine = false, sign = null, more = [] } = {}) {
  const name = nameOf(context, seat);
  return h("header", { class: `plate ${context.to_move === seat ? "acts" : ""}` },
    sign ?? h("span", { class: "seat-number", "aria-hidden": "true" }, seat + 1),
    h("h2", { title: name }, mine && !context.past ? t("{name} (you)", { name }) : name),
    context.to_move === seat && h("span", { class: "turn-mark" }, t("to move")),
    h("span", { class: "grow" }),
    more);
}

// The plates of a board with two sides: the viewer's below, or the first seat's; the others' above. `sign(seat)` is a
// picture of the side, `more(seat)` other parts of the plate.
/** @param {any} frame @param {any} context @param {{ near?: number, sign?: (seat: number) => any, more?: (seat: number) => any[] }} [parts] */
export function sidePlates(frame, context, { near = typeof context.as === "number" ? context.as : 0, sign = () => null, more = () => [] } = {}) {
  const at = (seat) => plate(context, seat, { mine: seat === context.as, sign: sign(seat), more: more(seat) });
  redraw(frame.far, context.names.map((_, seat) => seat !== near && at(seat)));
  redraw(frame.near, at(near));
}

// The action bar's sentence for those who cannot move now.
export function waitingWords(context, over = t("The game is over.")) {
  if (context.premove) return [h("p", {}, h("strong", {}, `${t("Premove:")} `), context.premove, "."), button(t("Cancel"), context.cancelPremove, { class: "quiet", "data-key": "cancel-premove" })];
  const words = context.past ? t("A past position.")
    : context.state === "waiting" ? t("Waiting for players.")
    : context.over || context.to_move === null ? over
    : context.sending ? t("Sending your move …")
    : t("{name} is thinking …", { name: nameOf(context, context.to_move) });
  return h("p", { class: "waits" }, words);
}

export const yourTurn = (...words) => h("p", {}, h("strong", {}, `${t("Your turn.")} `), ...words);
