// @ts-check
// The rules card of Connect 4.

export const CARD = [
  ["Aim", ["Get four of your stones in a line: across, up or diagonally."]],
  ["Your turn", ["Drop a stone into one of the seven columns. It falls to the lowest free place; a full column is closed."]],
  ["The end", ["The first line of four wins. A full board without one is a draw."]],
];
