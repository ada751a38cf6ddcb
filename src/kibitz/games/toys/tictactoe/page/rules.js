// @ts-check
// The rules card of tic-tac-toe.

import { t } from "/static/texts.js";

export const CARD = [
  [t("Aim"), [t("Get three of your marks in a row: across, down or diagonally.")]],
  [t("Your turn"), [t("Mark a free square.")]],
  [t("The end"), [t("The first row of three wins. A full board without one is a draw.")]],
];
