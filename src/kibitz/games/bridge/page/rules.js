// @ts-check
// The rules card of bridge.

import { t } from "/static/texts.js";

export const CARD = [
  [t("Aim"), [t("North and South play against East and West. The declarer's side must take the tricks of its contract: its level plus six. The defenders try to prevent that.")]],
  [t("The deal"), [
    t("Everybody has 13 cards. The contract, with its trump suit or no trump, is given: there is no auction."),
    t("The player to the left of the declarer leads. Then dummy, the declarer's partner, lays their cards open, and the declarer plays both hands."),
  ]],
  [t("Your turn"), [
    t("Follow suit if you can; otherwise play any card."),
    t("The highest card of the suit led takes the trick, or the highest trump. Its player leads to the next one."),
  ]],
  [t("The end"), [t("After 13 tricks. The score is that of duplicate bridge.")]],
];
