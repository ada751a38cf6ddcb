// @ts-check
// The rules card of dice chess.

export const CARD = [
  ["Aim", ["Take the enemy king. There is no check and no mate."]],
  ["Your turn", [
    "A die decides which piece must move: 1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king.",
    "If no piece of that kind can move, the turn passes.",
    "Pieces move as in chess. A king castles on a 6, also through attacks. En passant works only in the very next turn.",
  ]],
  ["Draws", ["A hundred moves of both sides without a capture or a pawn's move."]],
];
