// @ts-check
// The rules card of coins in a row.

import { t } from "/static/texts.js";

export const CARD = [
  [t("Aim"), [t("Collect coins of the highest sum.")]],
  [t("Your turn"), [t("Take the coin at the left end or at the right end of the row. All values are visible.")]],
  [t("The end"), [t("When all twelve coins are taken, the highest sum wins. Equal sums share the win.")]],
];
