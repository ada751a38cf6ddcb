// @ts-check
// Offers of guided games: in the lobby for newcomers, and in the help overlay.

import { button, h } from "./dom.js";
import { progress, startGuide } from "./guide_start.js";
import * as storage from "./storage.js";

const guided = (shell) => (shell.catalogue ?? []).filter((game) => game.guide);

export const guideChoices = (shell, close) => guided(shell).map(({ name, title }) => {
  const { step, done } = progress(name);
  return h("p", { class: "row" }, button(`Guided game of ${title}`, () => { close(); startGuide(shell, name); }),
    h("small", { class: "muted" }, done ? "done, play again" : step ? `resume at step ${step + 1}` : "two minutes"));
});

// null for visitors who have played or dismissed it.
export function guideOffer(shell) {
  const games = guided(shell);
  if (!games.length || storage.choice("guide.dismissed", false) || storage.seats().length) return null;
  const dismiss = () => { storage.setChoice("guide.dismissed", true); line.remove(); };
  const line = h("section", { class: "row guide-offer", "aria-label": "Guided games" },
    h("p", {}, h("strong", {}, "New here? "), "Try a guided game of two minutes:"),
    games.map(({ name, title }) => button(title, () => startGuide(shell, name), { "aria-label": `Guided game of ${title}` })), h("span", { class: "grow" }),
    button("×", dismiss, { class: "quiet", "aria-label": "Hide this offer" }));
  return line;
}
