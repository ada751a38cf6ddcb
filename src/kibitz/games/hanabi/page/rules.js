// @ts-check
// The rules card of Hanabi.

import { t } from "/static/texts.js";

export const CARD = [
  [t("Aim"), [t("Build five fireworks together, one per colour, each from 1 up to 5. Every card played counts one point; 25 is perfect.")]],
  [t("What you see"), [t("Everybody's cards except your own.")]],
  [t("Your turn: do one of three things"), [
    t("Hint: spend a token and point out all cards of one colour, or of one number, in another player's hand."),
    t("Play a card: the next number of its colour is added to the firework. Any other card is lost and costs a life."),
    t("Discard a card: it is gone, and one token returns."),
    t("After a play or a discard you draw a new card. A completed 5 returns a token."),
  ]],
  [t("Cards"), [t("Each colour has three 1s, two each of 2, 3 and 4, and a single 5.")]],
  [t("The end"), [t("At 25 points, with the third mistake, or one turn each after the last card was drawn.")]],
];
