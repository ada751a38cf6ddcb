// @ts-check
// The rules card of coins in a row.

export const CARD = [
  ["Aim", ["Collect coins of the highest sum."]],
  ["Your turn", ["Take the coin at the left end or at the right end of the row. All values are visible."]],
  ["The end", ["When all twelve coins are taken, the highest sum wins. Equal sums share the win."]],
];
