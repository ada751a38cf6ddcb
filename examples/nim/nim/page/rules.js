// @ts-check
// The rules card of Nim.

export const CARD = [
  ["Aim", ["Take the last stone. By the other rule, the player who takes it loses to the next."]],
  ["Your turn", ["Take one, two or three stones."]],
];
