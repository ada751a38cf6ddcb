// @ts-check
// The rules card of Kriegspiel.

export const CARD = [
  ["Aim", ["Mate the enemy king in a game of chess where you see only your own pieces."]],
  ["Your turn", [
    "Attempt a move. If it is illegal, you try another one; that costs nothing.",
    "An umpire who sees everything announces captures with their square, and checks with their direction.",
  ]],
  ["Two umpires", [
    "That of the clubs announces everything to both: illegal attempts, whether a piece or a pawn was captured, and whether a pawn can capture.",
    "That of the lecture tells illegal attempts only to their player, and announces captures without the kind. You may ask whether you can capture.",
  ]],
  ["Draws", ["Stalemate, too few pieces to mate, or a hundred moves of both sides without a capture or a pawn's move. Repetition is no draw: nobody could see it."]],
  ["After the game", ["Both boards and all attempts are shown."]],
];
