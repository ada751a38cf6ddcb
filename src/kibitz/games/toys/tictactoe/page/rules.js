// @ts-check
// The rules card of tic-tac-toe.

export const CARD = [
  ["Aim", ["Get three of your marks in a row: across, down or diagonally."]],
  ["Your turn", ["Mark a free square."]],
  ["The end", ["The first row of three wins. A full board without one is a draw."]],
];
