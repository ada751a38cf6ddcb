// @ts-check
// Love Letter cards: letters sealed with their number, with drawing, name and effect.

import { h, svg } from "/static/dom.js";
import { t } from "/static/texts.js";

export const CARDS = ["Guard", "Priest", "Baron", "Handmaid", "Prince", "King", "Countess", "Princess"]; // eslint-disable-line texts/translated
const NAMES = [t("Guard"), t("Priest"), t("Baron"), t("Handmaid"), t("Prince"), t("King"), t("Countess"), t("Princess")];
export const nameOfCard = (card) => NAMES[CARDS.indexOf(card)] ?? card;
export const numberOf = (card) => CARDS.indexOf(card) + 1;
export const COPIES = { Guard: 5, Priest: 2, Baron: 2, Handmaid: 2, Prince: 2, King: 1, Countess: 1, Princess: 1 };

export const EFFECTS = {
  Guard: t("Name a card. The player you choose is out if they hold it."),
  Priest: t("Look at another player's card."),
  Baron: t("Compare cards with another player: the lower one is out."),
  Handmaid: t("You cannot be chosen until your next turn."),
  Prince: t("A player, or you, discards their card and draws another."),
  King: t("Trade cards with another player."),
  Countess: t("No effect. You must play her if you also hold a King or Prince."),
  Princess: t("You are out if you play or discard her."),
};

// Line drawings on a square of 48.
const DRAWINGS = {
  Guard: ["M24 5 39 10v12c0 10-6 16.5-15 21C15 38.5 9 32 9 22V10Z", "M24 12v24M15 20h18"],
  Priest: ["M24 14c-5-4-11-5-17-4v26c6-1 12 0 17 4 5-4 11-5 17-4V10c-6-1-12 0-17 4Zm0 0v26", "M32 15v9M28.5 18h7", "M12 17c2.5 0 4.5.5 7 1.500M12 23c2.5 0 4.5.5 7 1.500M12 29c2.5 0 4.5.5 7 1.5"],
  Baron: ["M8 6l25 26M40 6 15 32", "M27 37l10-10M11 27l10 10", "M34 33l7 8M14 33l-7 8"],
  Handmaid: ["M6 30a18 18 0 0 1 36 0L24 40Z", "M24 40V12M24 40 13.5 15.500M24 40l10.5-24.500M24 40 7.5 22.500M24 40l16.5-17.5", "M10.5 26.500a14.5 14.5 0 0 1 27 0"],
  Prince: ["M8 36V18l9 8 7-14 7 14 9-8v18Z", "M8 41h32", "M24 8.500a1.5 1.5 0 1 0 .1 0M8 14.500a1.5 1.5 0 1 0 .1 0M40 14.500a1.5 1.5 0 1 0 .1 0"],
  King: ["M9 36c-4-9-3-17 2-19 4-1.5 9 1 13 6 4-5 9-7.5 13-6 5 2 6 10 2 19Z", "M9 41h30", "M24 5v13M19.5 9.500h9", "M16 31h.1M24 31h.1M32 31h.1"],
  Countess: ["M5 17c7-4 13-2 19 2 6-4 12-6 19-2 0 10-4 17-11 17-4 0-6.5-3-8-6-1.5 3-4 6-8 6C9 34 5 27 5 17Z", "M12 22c2.5-1.5 5-1.5 7 .5-2 2-4.5 2-7-.5ZM36 22c-2.5-1.5-5-1.5-7 .5 2 2 4.5 2 7-.5Z", "M40 12c2-3 1-6-1-8M36 11c1-2 .5-4-1-6"],
  Princess: ["M24 41C13 33 7 27.5 7 20c0-5.5 4-9.5 8.5-9.5 3.5 0 6.5 2 8.5 5.5 2-3.5 5-5.5 8.5-5.500C37 10.5 41 14.5 41 20c0 7.5-6 13-17 21Z", "M16 20c1-2.5 3-3.5 5-3", "M18 8.5 20 4l4 3.500L28 4l2 4.5"],
};

export function drawing(card) {
  return svg("svg", { viewBox: "0 0 48 48", class: "drawing", "aria-hidden": "true" }, DRAWINGS[card].map((d) => svg("path", { d })));
}

export const seal = (number) => h("span", { class: "seal", "aria-hidden": "true" }, number);

// The inside of a card: "full" with its effect, "small" with its name, "mini" without.
export function letter(card, how) {
  if (!card) return [svg("svg", { viewBox: "0 0 60 84", class: "envelope", "aria-hidden": "true" }, svg("path", { d: "M4 10l26 34 26-34M4 74l20-36M56 74 36 38" }), svg("circle", { cx: 30, cy: 44, r: 8 }))];
  return [
    seal(numberOf(card)),
    drawing(card),
    how !== "mini" && h("strong", {}, nameOfCard(card)),
    how === "full" && h("small", {}, EFFECTS[card]),
  ];
}
