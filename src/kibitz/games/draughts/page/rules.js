// @ts-check
// The rules card of draughts.

export const CARD = [
  ["Aim", ["Take all pieces of the other side, or leave it without a legal move."]],
  ["Your turn", [
    "A man steps diagonally forwards to a free dark square.",
    "You capture by jumping over a piece to the free square behind it, and continue while you can. Capturing is compulsory.",
    "A man that ends its move in the last row becomes a king.",
  ]],
  ["By variant", [
    "Brazilian: men capture backwards, too. Kings move along whole diagonals. You must take as many pieces as possible.",
    "Russian: the same, but you choose among captures, and a man crowned in a capture continues as a king.",
    "English: Black starts. Men capture forwards only, and kings move one square.",
  ]],
  ["Draws", ["The same position for the third time, or long play without progress."]],
];
