// @ts-check
// The rules card of draughts.

import { t } from "/static/texts.js";

export const CARD = [
  [t("Aim"), [t("Take all pieces of the other side, or leave it without a legal move.")]],
  [t("Your turn"), [
    t("A man steps diagonally forwards to a free dark square."),
    t("You capture by jumping over a piece to the free square behind it, and continue while you can. Capturing is compulsory."),
    t("A man that ends its move in the last row becomes a king."),
  ]],
  [t("By variant"), [
    t("Brazilian: men capture backwards, too. Kings move along whole diagonals. You must take as many pieces as possible."),
    t("Russian: the same, but you choose among captures, and a man crowned in a capture continues as a king."),
    t("English: Black starts. Men capture forwards only, and kings move one square."),
  ]],
  [t("Draws"), [t("The same position for the third time, or long play without progress.")]],
];
