// @ts-check
// The rules card of dice chess.

import { t } from "/static/texts.js";

export const CARD = [
  [t("Aim"), [t("Take the enemy king. There is no check and no mate.")]],
  [t("Your turn"), [
    t("A die decides which piece must move: 1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king."),
    t("If no piece of that kind can move, the turn passes."),
    t("Pieces move as in chess. A king castles on a 6, also through attacks. En passant works only in the very next turn."),
  ]],
  [t("Draws"), [t("A hundred moves of both sides without a capture or a pawn's move.")]],
];
