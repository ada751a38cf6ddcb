// @ts-check
// The bridge board: a card table seen from the viewer's seat, with the trick in the middle and dummy face up.

import { button, reducedMotion, h, redraw } from "/static/dom.js";
import { dragging } from "/static/drag.js";
import { boardFrame, nameOf as seatName, plate, waitingWords, yourTurn } from "/static/frame.js";
import { setting } from "/static/settings.js";
import { COMPASS, RANKS, SUITS, bySuit, face, inWords, mini, strainSign } from "./cards.js";
import { t } from "/static/texts.js";

const KEYS = [
  ["S, H, D, C", t("choose a suit")],
  ["2 … 9, T, J, Q, K, A", t("choose a card by rank, after its suit unless only one suit can be played")],
  ["Enter", t("play the chosen card; Esc cancels")],
];
const PLACES = ["near", "left-hand", "far", "right-hand"]; // clockwise from the viewer's seat
const NORTH_BELOW = 2; // spectators see the table from the south

export function mount(root, actions) {
  const frame = boardFrame(root, actions);
  const parts = { status: frame.status, table: h("div", { class: "table" }), mine: frame.own, prompt: frame.prompt };
  frame.field.append(parts.table);
  const drag = dragging(root, "button.card", (element) => {
    const choice = context.choices.find((each) => each.card === element.dataset.card);
    return choice ? [{ place: ".trick", label: t("Play {card}", { card: inWords(choice.card) }), drop: () => make(choice) }] : [];
  });

  let view = null;
  let context = null;
  let chosen = null; // a card
  let suit = null; // chosen by a key
  let pending = null;

  function render(newView, newContext) {
    const turned = !view || view.turn !== newView.turn || context.as !== newContext.as;
    const from = pending && root.querySelector(`[data-card="${pending.card}"]`)?.getBoundingClientRect();
    view = newView;
    context = newContext;
    if (turned) {
      chosen = suit = null;
      drag.cancel(); // its targets were for another turn
    }
    frame.update(context);
    redraw(parts.status, status());
    const [near, ...around] = PLACES.map((place, step) => hand((viewpoint() + step) % 4, place));
    redraw(parts.table, around, trick());
    redraw(parts.mine, near);
    drawPrompt();
    if (from) fly(from, pending.card);
    pending = null;
  }

  const viewpoint = () => view.seat ?? NORTH_BELOW;
  const nameOf = (seat) => seatName(context, seat);
  const mine = (seat) => seat === view.seat && !context.past;

  // Drawing

  function status() {
    const { contract, tricks, last_trick: last } = view;
    const ours = contract.declarer % 2;
    return [
      h("div", { class: "gauge contract", role: "img", "aria-label": t("Contract {level} {strain}, {needed} tricks", { level: contract.level, strain: contract.strain, needed: contract.needed }) },
        h("b", {}, contract.level, strainSign(contract.strain)), contract.doubled > 0 && h("b", { class: "doubled" }, "×".repeat(contract.doubled)),
        h("small", {}, t("by {name}, {needed} tricks", { name: nameOf(contract.declarer), needed: contract.needed }))),
      [0, 1].map((side) => h("div", { class: `gauge pair ${side === ours ? "declares" : ""}`, role: "img", "aria-label": t("{side}: {tricks} tricks", { side: sideName(side), tricks: tricks[side] }) },
        h("small", {}, sideName(side)), h("b", {}, tricks[side]),
        side === ours && h("small", {}, tricks[side] >= contract.needed ? t("made") : t("of {needed}", { needed: contract.needed })))),
      h("div", { class: "gauge" }, h("small", {}, t("vulnerable: {who}", { who: { None: t("nobody"), NS: t("N-S"), EW: t("E-W"), All: t("all") }[view.vulnerable] }))),
      last && h("div", { class: "gauge last", role: "img", "aria-label": t("Last trick: {cards}; taken by {name}", { cards: last.cards.map(inWords).join(", "), name: nameOf(last.winner) }) },
        h("small", {}, t("last trick")), last.cards.map((card, step) => mini(card, (last.leader + step) % 4 === last.winner)), h("small", {}, nameOf(last.winner))),
    ];
  }

  const sideName = (side) => (side === 0 ? t("N-S") : t("E-W"));

  function hand(seat, place) {
    const at = view.seats[seat];
    const due = view.playing === seat && !context.over;
    const role = seat === view.contract.declarer ? t("declarer") : seat === view.dummy ? t("dummy") : null;
    const shown = at.dealt ?? at.cards;
    return h("section", { class: `hand ${place} ${due ? "due" : ""} ${mine(seat) ? "own" : ""}`, data: { seat }, "aria-label": `${COMPASS[seat]}, ${mine(seat) ? t("your hand") : nameOf(seat)}` },
      plate(context, seat, { mine: mine(seat), sign: h("span", { class: "seat-number", "aria-hidden": "true" }, COMPASS[seat][0]),
        more: [role && h("span", { class: "badge" }, role), due && view.to_move !== seat && h("span", { class: "badge due-mark" }, t("{name} plays", { name: nameOf(view.to_move) }))] }),
      shown ? cardsOf(shown, seat) : backs(at.held),
      knowledge(at));
  }

  function cardsOf(cards, seat) {
    if (!cards.length) return h("p", { class: "muted-note" }, t("no cards left"));
    return h("div", { class: "cards" }, bySuit(cards, view.contract.strain).map((group) => h("span", { class: "suit" }, group.map((card) => cardAt(card, seat)))));
  }

  function cardAt(card, seat) {
    const choice = context.choices.find((each) => each.card === card && each.from === seat);
    const tricks = view.tricks_of?.[card];
    const played = view.seats[seat].dealt && !view.seats[seat].cards?.includes(card);
    const best = tricks !== undefined && tricks === Math.max(...Object.values(view.tricks_of));
    const worth = tricks !== undefined && h("span", { class: `worth ${best ? "best" : ""}` }, tricks);
    const words = tricks === undefined ? inWords(card) : t("{card}: {tricks} tricks with all hands open", { card: inWords(card), tricks });
    if (!choice) {
      const idle = context.choices.length > 0 && view.playing === seat;
      return h("span", { class: `card ${idle ? "idle" : ""} ${played ? "played" : ""}`, role: "img", "aria-label": words, data: { card } }, face(card), worth);
    }
    return h("button", { type: "button", class: "card legal", "data-key": card, data: { card }, "aria-label": words, "aria-pressed": String(chosen === card), onclick: () => press(choice) }, face(card), worth);
  }

  const backs = (count) => h("div", { class: "backs", role: "img", "aria-label": t("{count} cards, face down", { count }) }, Array.from({ length: count }, () => h("i", { class: "back" })));

  function knowledge(at) {
    const bounds = at.points ? [t("{least}–{most} points", { least: at.points[0], most: at.points[1] })] : [];
    for (const [letter, [least, most]] of Object.entries(at.lengths)) bounds.push(`${least}–${most} ${SUITS[letter].sign}`);
    if (at.out_of.length && at.held && !at.cards) bounds.push(t("no {suits}", { suits: at.out_of.map((letter) => SUITS[letter].sign).join(" ") }));
    return bounds.length ? h("p", { class: "known" }, bounds.join(" · ")) : null;
  }

  // The trick on the table; a complete one stays until the next lead.
  function trick() {
    const shown = view.trick ?? view.last_trick;
    const over = !view.trick;
    return h("div", { class: `trick ${over ? "complete" : ""}`, "aria-label": t("The trick"), role: "group" },
      shown && shown.cards.map((card, step) => {
        const seat = (shown.leader + step) % 4;
        const place = PLACES[(seat - viewpoint() + 4) % 4];
        return h("span", { class: `card laid at-${place} ${shown.winner === seat ? "winner" : ""}`, role: "img", "aria-label": t("{card} of {name}", { card: inWords(card), name: nameOf(seat) }), data: { laid: card } }, face(card));
      }));
  }

  // Choosing a card

  function press(choice) {
    if (chosen === choice.card || context.choices.length === 1 || !setting("confirm")) return make(choice);
    pick(choice.card);
  }

  function pick(card) {
    chosen = card;
    suit = null;
    for (const element of root.querySelectorAll("button.card")) element.setAttribute("aria-pressed", String(element.dataset.card === card));
    if (card) actions.announce(t("{card}. Press it again, or Enter, to play it.", { card: inWords(card) }));
    drawPrompt();
  }

  function make(choice) {
    chosen = suit = null;
    actions.move(choice.move);
  }

  function drawPrompt() {
    redraw(parts.prompt, prompt());
  }

  // Why the viewer cannot move now.
  function waitsFor() {
    if (context.past) return context.state === "finished" && typeof context.as === "number" ? t("A past position. Choose “All hands open” below to see how many tricks each card takes.") : t("A past position.");
    if (context.state === "left" && !context.over) return t("This game is unfinished. “What if …” below continues it from any card at a new table.");
    return "";
  }

  function prompt() {
    if (context.choices.length === 0) {
      const hint = view.tricks_of && h("p", { class: "waits" }, t("Numbers on cards: the tricks that side takes in all after that card, with all hands open and perfect play."));
      return hint || (waitsFor() ? h("p", { class: "waits" }, waitsFor()) : waitingWords(context, t("All cards are played.")));
    }
    const choice = context.choices.find((each) => each.card === chosen);
    const whose = view.playing === view.dummy ? t("dummy") : t("your hand");
    if (!choice) return yourTurn(suit ? t("{suit}: which card?", { suit: SUITS[suit].name }) : t("Play a card from {whose}.", { whose }));
    return [button([`${t("Play")} `, face(choice.card)], () => make(choice), { class: "primary", "data-key": "play", "aria-label": t("Play {card}", { card: inWords(choice.card) }) }), button(t("Cancel"), () => pick(null), { class: "quiet", "data-key": "cancel" })];
  }

  function key(event) {
    if (context.choices.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return false;
    const choice = context.choices.find((each) => each.card === chosen);
    if (event.key === "Escape" && (choice || suit)) return pick(null), true;
    if (event.key === "Enter" && choice && !event.target.closest?.("button, a, summary")) return make(choice), true;
    const letter = event.key.toUpperCase();
    const suits = [...new Set(context.choices.map((each) => each.card[0]))];
    if (suits.includes(letter)) {
      suit = letter;
      drawPrompt();
      return true;
    }
    if (!RANKS.includes(letter) || letter.length !== 1) return false;
    const card = (suit ?? (suits.length === 1 ? suits[0] : "")) + letter;
    if (!context.choices.some((each) => each.card === card)) return false;
    pick(card);
    root.querySelector(`[data-key="${card}"]`)?.focus({ preventScroll: true });
    return true;
  }

  // Animation, and what the history points at

  function fly(from, card) {
    const laid = root.querySelector(`[data-laid="${card}"]`);
    if (!laid) return;
    const to = laid.getBoundingClientRect();
    laid.animate([{ translate: `${from.left - to.left}px ${from.top - to.top}px` }, { translate: "0 0" }], { duration: 320, easing: "cubic-bezier(.2, .8, .2, 1)" });
  }

  function highlight(event) {
    for (const element of root.querySelectorAll("[data-card], [data-laid]")) {
      element.classList.toggle("lit", Boolean(event?.card) && (element.dataset.card ?? element.dataset.laid) === event.card);
    }
  }

  return {
    keys: KEYS,
    render,
    animate(event) {
      if (view && !reducedMotion()) pending = event;
    },
    highlight: (event) => view && highlight(event),
    describe: (event) => ({ sign: mini(event.card) }),
    key,
    leave: () => drag.leave?.(),
  };
}
