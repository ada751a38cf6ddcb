// @ts-check
// Offers of guided games: in the lobby for newcomers, and in the help overlay.

import { button, h } from "./dom.js";
import { progress, startGuide } from "./guide_start.js";
import * as storage from "./storage.js";
import { t } from "./texts.js";

const guided = (shell) => (shell.catalogue ?? []).filter((game) => game.guide);

export const guideChoices = (shell, close) => guided(shell).map(({ name, title }) => {
  const { step, done } = progress(name);
  return h("p", { class: "row" }, button(t("Guided game of {title}", { title }), () => { close(); startGuide(shell, name); }),
    h("small", { class: "muted" }, done ? t("done, play again") : step ? t("resume at step {n}", { n: step + 1 }) : t("two minutes")));
});

// null for visitors who have played or dismissed it.
export function guideOffer(shell) {
  const games = guided(shell);
  if (!games.length || storage.choice("guide.dismissed", false) || storage.seats().length) return null;
  const dismiss = () => { storage.setChoice("guide.dismissed", true); line.remove(); };
  const line = h("section", { class: "row guide-offer", "aria-label": t("Guided games") },
    h("p", {}, h("strong", {}, `${t("New here?")} `), t("Try a guided game of two minutes:")),
    games.map(({ name, title }) => button(title, () => startGuide(shell, name), { "aria-label": t("Guided game of {title}", { title }) })), h("span", { class: "grow" }),
    button("×", dismiss, { class: "quiet", "aria-label": t("Hide this offer") }));
  return line;
}
