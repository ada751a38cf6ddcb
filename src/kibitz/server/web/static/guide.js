// @ts-check
// A guided first game: a real table with a fixed deal, and short texts beside their subject, step by step.
// Each game defines its own in guide.js of its page folder. See docs/how-to/boards.md.

import "./more_texts.js";
import { announce, button, h, redraw, styleSheet, toast } from "./dom.js";
import { progress, scriptOf, setProgress } from "./guide_start.js";
import { withNames } from "./seat_names.js";
import { t } from "./texts.js";

const GAP = 14;
const among = (moves, move) => [moves].flat().includes(move);

// The guide of this table. `at` is the state of the table page, `board` the board's element.
export async function guideAt(at, board) {
  const { game } = at.message;
  const here = () => progress(game).table === at.table;
  await styleSheet("/static/guide.css");
  const { COURSE, STEPS } = await scriptOf(game);
  const box = h("section", { class: "guide", "aria-label": t("Guide") });
  let step = progress(game).step;
  let now = null; // the step shown, unless others are to move
  let refusal = "";
  let said = "";
  let frame = 0;

  const shown = () => here() && !progress(game).hidden && !at.past && typeof at.message.as === "number";
  const say = (text) => withNames(typeof text === "function" ? text(at.events) : text, at.names);

  function update() {
    const strayed = at.events.some((event, turn) => turn < COURSE.length && !among(COURSE[turn], event.move));
    if (shown() && strayed) close(t("You left the guided game. Press ? to start it again."), { done: true });
    box.hidden = !shown();
    if (!box.hidden) draw();
    soon();
  }

  function draw() {
    // The steps about the present: after the last move made, up to the next one to make.
    const first = STEPS.findLastIndex((each) => each.turn < at.message.turn) + 1;
    const next = STEPS.findIndex((each) => each.turn >= at.message.turn);
    step = Math.min(Math.max(step, first), next < 0 ? STEPS.length - 1 : next);
    setProgress(game, { step });
    now = at.message.turn < (STEPS[next]?.turn ?? COURSE.length) ? null : STEPS[step];
    const text = now ? say(now.text) : t("The other players move now.");
    redraw(box,
      h("header", {}, h("strong", {}, t("Guide")), h("small", { class: "muted" }, t("{n} of {most}", { n: step + 1, most: STEPS.length })), h("span", { class: "grow" }),
        button(t("Skip"), () => close(t("Guide closed. Press ? to bring it back.")), { class: "quiet", "data-key": "guide-skip", "aria-label": t("Skip the guide") })),
      h("p", { id: "guide-text" }, text),
      now && refusal && h("p", { class: "refusal" }, refusal),
      now && h("div", { class: "row end" },
        step > first && button(t("Back"), () => turn(-1), { "data-key": "guide-back" }),
        now.press ? h("strong", {}, t("☞ Your move")) : button(now === STEPS.at(-1) ? t("Finish") : t("Next"), () => turn(1), { class: "primary", "data-key": "guide-next" })));
    if (text !== said) announce((said = text));
    if (document.activeElement === document.body) box.querySelector(".primary")?.focus({ preventScroll: true }); // so that Enter continues
  }

  function turn(by) {
    refusal = "";
    if (step + by === STEPS.length) return close(t("End of the guide. Play on as in any other game."), { done: true });
    step += by;
    update();
    anchor()?.scrollIntoView({ block: "nearest" });
  }

  function close(words, changed) {
    setProgress(game, { hidden: true, ...changed });
    toast(words);
    update();
  }

  // Mark the subject of a step, or the last existing element to press for its move.

  const find = (selector) => board.querySelector(selector);
  const anchor = () => now && find(now.at ?? now.press[0]);
  const soon = () => { frame ||= requestAnimationFrame(mark); };

  function mark() {
    frame = 0;
    find(".guide-mark")?.classList.remove("guide-mark");
    if (box.hidden) return;
    const marked = now?.press?.map(find).findLast(Boolean) ?? anchor();
    marked?.classList.add("guide-mark");
    place(anchor() ?? board, [marked, now?.press && find(".prompt")].filter(Boolean));
  }

  // Place the box below the anchor, above it, or at the top: wherever it covers least.
  function place(beside, others) {
    const { offsetWidth: width, offsetHeight: height } = box;
    const [target, ...clear] = [beside, beside, ...others].map((each) => each.getBoundingClientRect());
    const middle = target.left + target.width / 2;
    const left = within(middle - width / 2, innerWidth - width);
    const covered = (top) => clear.reduce((sum, each) => sum + overlap(left, left + width, each.left, each.right) * overlap(top, top + height, each.top, each.bottom), 0);
    const tops = [target.bottom + GAP, target.top - GAP - height, 0].map((top) => within(top, innerHeight - height));
    const top = tops.reduce((one, other) => (covered(other) < covered(one) ? other : one));
    box.dataset.side = top >= target.bottom ? "below" : top + height <= target.top ? "above" : "";
    for (const [name, value] of Object.entries({ left, top, "--tail": middle - left })) box.style.setProperty(name, `${value}px`);
  }

  const within = (value, most) => Math.max(8, Math.min(value, most - 8));
  const overlap = (from, to, start, end) => Math.max(0, Math.min(to, end) - Math.max(from, start));

  const drawing = new MutationObserver(soon);
  drawing.observe(board, { childList: true, subtree: true });
  const heard = Object.entries({ scroll: soon, resize: soon, guide: update });
  for (const [name, call] of heard) addEventListener(name, call);
  board.before(box);
  return {
    update,
    // Whether a move would leave the course; the guide then explains why.
    refuses(move) {
      const moves = shown() && COURSE[at.message.turn];
      refusal = moves && !among(moves, move) ? say(STEPS.find((each) => each.turn === at.message.turn).not) : "";
      if (!refusal) return false;
      step = STEPS.length; // the next redraw shows the last possible step: the one that asks for the move
      announce(refusal);
      return true;
    },
    leave() {
      drawing.disconnect();
      for (const [name, call] of heard) removeEventListener(name, call);
    },
  };
}
