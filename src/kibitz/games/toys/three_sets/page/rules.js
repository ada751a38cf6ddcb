// @ts-check
// The rules card of three sets.

import { t } from "/static/texts.js";

export const CARD = [
  [t("Aim"), [t("The first player wants a high number, the second a low one. A number above 0 wins for the first.")]],
  [t("The game"), [
    t("The first player chooses one of three sets of two numbers."),
    t("The second player picks one of its numbers. By other rules a coin picks it, or two dice: 7 or more picks the higher one."),
  ]],
];
