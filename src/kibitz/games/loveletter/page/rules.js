// @ts-check
// The rules card of Love Letter.

import { t } from "/static/texts.js";

export const CARD = [
  [t("Aim"), [t("Be the last player left in the round, or hold the highest card when the deck is empty. Rounds earn tokens: 7, 5 or 4 tokens win, with 2, 3 or 4 players.")]],
  [t("Your turn"), [t("Draw a second card and play one of the two.")]],
  [t("Cards"), [
    t("1 Guard (5 copies): name a card other than a Guard. If the target holds it, they are out."),
    t("2 Priest (2): look at a hand."),
    t("3 Baron (2): compare hands; the lower card is out."),
    t("4 Handmaid (2): you are protected until your next turn."),
    t("5 Prince (2): a player, perhaps you, discards their hand and draws."),
    t("6 King: exchange hands."),
    t("7 Countess: must be played if you hold her with the King or a Prince."),
    t("8 Princess: a player who plays or discards her is out."),
  ]],
  [t("Remember"), [t("One card is set aside face down. If everybody else is protected, a card does nothing; a Prince then hits you.")]],
];
