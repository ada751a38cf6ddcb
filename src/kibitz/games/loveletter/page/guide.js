// @ts-check
// The guided game of Love Letter: one round. On this deal the bots always answer the same way.

import { t } from "/static/texts.js";

export const TABLE = {
  seed: 51,
  seats: [{ kind: "me" }, { kind: "bot", agent: "counting" }, { kind: "bot", agent: "counting" }],
  rules: { unit: "game", ties: "discards" },
};

/* eslint-disable texts/translated */
export const COURSE = [
  "Priest G2", "Guard G3 Prince", "Guard G1 Handmaid",
  "Guard G2 Princess", "Prince G1",
  ["Guard G3 Handmaid", "Guard G3 Baron"], "Guard G1 Handmaid",
  "Handmaid", "Priest",
  "Baron G3",
];
/* eslint-enable texts/translated */

// The right-hand card, then the questions about it.
const right = (...keys) => [".own [data-slot='1']", ...keys.map((key) => `.board:has([data-slot='1'][aria-pressed=true]) [data-key=${key}]`)];

export const STEPS = [
  { at: ".own .held", text: t("Everybody holds one card. On your turn you draw another and play one of the two for its effect.") },
  { at: ".ledger", text: t("There are sixteen cards, worth 1 to 8; ● marks those you have not seen. At the end the highest card wins, so keep the Countess.") },
  { turn: 0, press: right("on-1", "play"), text: t("Play the Priest on G2: only you will see that card."), not: t("Not yet: keep the Countess, and play the Priest on G2.") },
  { at: "[data-seat='1']", text: t("G2 holds the Princess. Playing or discarding her means being out, so she will stay there.") },
  { at: ".own", text: t("G3 played a Guard on you and guessed Handmaid. You do not hold it, so nothing happened.") },
  { turn: 3, press: right("on-1", "name-Princess"), text: t("You know the card: play the Guard on G2 and name the Princess."), not: t("Not yet: play the Guard on G2, and name the Princess.") },
  { at: "[data-seat='1']", text: t("Right! G2 is out of the round.") },
  {
    turn: 5, press: right("on-2", "name-Handmaid"),
    text: t("G3's Prince made you discard the Countess and draw again. What does G3 hold? Two Barons and two Handmaids are unseen: play the Guard on G3 and name one of them."),
    not: t("Not yet: play the Guard on G3, and name Handmaid or Baron."),
  },
  { turn: 7, press: right("play"), text: t("A wrong guess costs nothing. Play the Handmaid: you cannot be chosen until your next turn."), not: t("Not yet: keep the King, and play the Handmaid.") },
  { at: "[data-seat='2']", text: t("G3's Priest had no effect: you were protected.") },
  {
    turn: 9, press: right("on-2", "play"),
    text: t("A Baron compares cards, and the lower one is out. You keep a King, 6; all unseen cards are lower. Play the Baron on G3!"),
    not: t("Not yet: the Baron wins for certain. Play it on G3."),
  },
  { at: ".round-over", text: t("You are the last one left, and win the round and a token. When the deck is empty, the highest card wins. Five tokens win the game. Now it is up to you!") },
];
