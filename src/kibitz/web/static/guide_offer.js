// Where guided games are offered: one line in the lobby for who has no games yet, and a part of what ? opens.

import { button, h } from "./dom.js";
import { progress, startGuide } from "./guide.js";
import * as keep from "./keep.js";

export const guideChoices = (shell, close) => (shell.catalogue ?? []).filter((game) => game.guide).map(({ name, title }) => {
  const { step, done } = progress(name);
  return h("p", { class: "row" }, button(`Guided game of ${title}`, () => { close(); startGuide(shell, name); }),
    h("small", { class: "muted" }, done ? "done: play it again" : step ? `go on at step ${step + 1}` : "two minutes"));
});

// null for who has played, or does not want it.
export function guideOffer(shell) {
  if (keep.choice("guide.dismissed", false) || Object.keys(keep.seats()).length) return null;
  const dismiss = () => { keep.setChoice("guide.dismissed", true); line.remove(); };
  const line = h("section", { class: "row guide-offer", "aria-label": "Never played?" },
    h("strong", {}, "Never played?"), guideChoices(shell, () => {}), h("span", { class: "grow" }),
    button("×", dismiss, { class: "quiet", "aria-label": "Do not offer guided games" }));
  return line;
}
