// @ts-check
// The rules card of Kriegspiel.

import { t } from "/static/texts.js";

export const CARD = [
  [t("Aim"), [t("Mate the enemy king in a game of chess where you see only your own pieces.")]],
  [t("Your turn"), [
    t("Attempt a move. If it is illegal, you try another one; that costs nothing."),
    t("An umpire who sees everything announces captures with their square, and checks with their direction."),
  ]],
  [t("Two umpires"), [
    t("That of the clubs announces everything to both: illegal attempts, whether a piece or a pawn was captured, and whether a pawn can capture."),
    t("That of the lecture tells illegal attempts only to their player, and announces captures without the kind. You may ask whether you can capture."),
  ]],
  [t("Draws"), [t("Stalemate, too few pieces to mate, or a hundred moves of both sides without a capture or a pawn's move. Repetition is no draw: nobody could see it.")]],
  [t("After the game"), [t("Both boards and all attempts are shown.")]],
];
