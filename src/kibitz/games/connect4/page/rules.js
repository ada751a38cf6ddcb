// @ts-check
// The rules card of Connect 4.

import { t } from "/static/texts.js";

export const CARD = [
  [t("Aim"), [t("Get four of your stones in a line: across, up or diagonally.")]],
  [t("Your turn"), [t("Drop a stone into one of the seven columns. It falls to the lowest free place; a full column is closed.")]],
  [t("The end"), [t("The first line of four wins. A full board without one is a draw.")]],
];
