// @ts-check
// The Hanabi board: five fireworks in a night sky, the other hands face up, the viewer's own face down.

import { button, dialog, focused, reducedMotion, h, redraw } from "/static/dom.js";
import { dragging } from "/static/drag.js";
import { boardFrame, plate, waitingWords, yourTurn } from "/static/frame.js";
import { setting } from "/static/settings.js";
import { COLOURS, LETTERS, RANKS, back, colourOf, emptyPile, eyeSign, face, inWords, rankOf, sign } from "./cards.js";
import { hintArrows } from "./arrows.js";
import { chopOf } from "./chop.js";
import { moved } from "./motion.js";
import { drawnNote, noteWords } from "./notes.js";

const KEYS = [
  ["P then 1 … 5", "play one of your cards, by its number: 1 is the oldest"],
  ["D then 1 … 5", "discard one of your cards"],
  ["then Enter or Esc", "confirm or cancel; the settings can turn the confirmation off"],
  ["H then a seat's number", "choose the player to hint (not needed with two players)"],
  ["then r y g b w or 1 … 5", "the colour or rank to hint; Enter gives it, Esc cancels"],
  ["N then 1 … 5", "write a note on one of your cards; N alone: on the focused card"],
  ["E, held down", "show every hand as its owner knows it"],
];

// The marks on the discards, and what they mean.
const MARKS = [
  ["gone", "Filled: a copy was discarded; ×2 says how many"],
  ["played", "Framed: played, so it is not needed any more"],
  ["critical", "With !: only one copy is left, and it is needed"],
  ["dead", "Struck through: it can never be played"],
];
const SHORT = { gone: "discarded", played: "played", critical: "last copy", dead: "never playable" };
const legend = () => h("ul", { class: "key", "aria-hidden": "true" }, MARKS.map(([mark]) => h("li", {}, h("span", { class: `kind ${mark}` }, "3", mark === "critical" && h("em", {}, "!")), SHORT[mark])));

export function mount(root, actions) {
  root.append(h("div", { class: "sky", "aria-hidden": "true" }));
  const frame = boardFrame(root, actions);
  const parts = { status: frame.status, middle: h("div", { class: "middle" }), others: h("div", { class: "others" }), mine: frame.own, prompt: frame.prompt };
  frame.field.append(parts.middle, parts.others);
  const arrows = hintArrows(root);
  const drag = dragging(root, ".own .card", dropPlaces);

  let view = null;
  let context = null;
  let chosen = null; // { own: slot, sure: choice awaiting confirmation } or { hint: seat, value } or { ask: "play" | "discard" | "note" | "hint" }
  let noting = null; // { card, text }: the card whose note is being written
  let empathic = new Set(); // seats whose hands are shown as their owners know them
  let pending = null; // an event to animate with the next view

  // Drawing

  function render(newView, newContext) {
    const turned = !view || view.turn !== newView.turn || context.as !== newContext.as;
    const before = pending ? moved.before(root, view, pending) : null;
    view = newView;
    context = newContext;
    if (turned) {
      chosen = null;
      drag.cancel(); // its targets were for another turn
    }
    if (noting && !(mayNote() && whereIs(noting.card))) noting = null; // an unfinished note survives a move
    const me = typeof context.as === "number" && view.seat === context.as ? context.as : null;
    const around = me === null ? view.hands.map((_, seat) => seat) : view.hands.slice(1).map((_, step) => (me + 1 + step) % view.players);
    root.dataset.players = view.players;
    frame.update(context);
    redraw(parts.status, status());
    redraw(parts.middle, piles(), discards());
    redraw(parts.others, around.map(hand));
    redraw(parts.mine, me === null ? null : hand(me));
    drawPrompt();
    lightRecent();
    if (before) moved.after(root, before, pending);
    pending = null;
  }

  function status() {
    const lamps = Array.from({ length: view.most_tokens }, (_, n) => h("i", { class: n < view.tokens ? "lamp lit" : "lamp" }));
    const lost = context.event?.misplayed; // a life was lost with this move
    const lives = Array.from({ length: view.most_lives }, (_, n) => h("i", { class: n < view.lives ? "life" : `life gone ${lost && n === view.lives ? "lost" : ""}` }));
    return [
      h("div", { class: "gauge", role: "img", "aria-label": `${view.tokens} of ${view.most_tokens} hint tokens` }, h("span", {}, "hints"), h("b", {}, lamps)),
      h("div", { class: "gauge", role: "img", "aria-label": `${view.lives} of ${view.most_lives} lives${lost ? ", one just lost" : ""}` }, h("span", {}, "lives"), h("b", {}, lives)),
      h("div", { class: "gauge deck-gauge", role: "img", "aria-label": `${view.deck} cards in the deck` }, h("span", {}, "deck"), h("b", { class: "number deck" }, view.deck)),
      h("div", { class: "gauge", role: "img", "aria-label": `${view.score} points` }, h("span", {}, "score"), h("b", { class: "number" }, view.score, h("small", {}, " / 25"))),
      view.turns_left && h("div", { class: "last-round", role: "status" }, view.turns_left === 1 ? "Last round: one turn left" : `Last round: ${view.turns_left} turns left`),
    ];
  }

  function piles() {
    return h("div", { class: "piles", role: "group", "aria-label": "Fireworks" }, COLOURS.map((colour) => {
      const height = view.piles[colour];
      return h("div", { class: `pile ${colour} ${height === 5 ? "done" : ""}`, data: { pile: colour }, role: "img", "aria-label": height ? `${colour}: up to ${height}` : `${colour}: not started` },
        height ? face(colour[0] + height) : emptyPile(colour));
    }));
  }

  // A grid of all kinds of cards: copies discarded, and whether the kind is played, critical or dead.
  function discards() {
    const gone = {};
    for (const kind of view.discards) gone[kind] = (gone[kind] ?? 0) + 1;
    const copies = COLOURS.map((colour) => RANKS.filter((rank) => gone[colour[0] + rank]).map((rank) => `${colour} ${rank}${gone[colour[0] + rank] > 1 ? ` ${gone[colour[0] + rank]} times` : ""}`)).flat();
    return h("div", { class: "discards", role: "group", "aria-label": "Discards" },
      h("div", {}, h("h2", {}, "Discards"), legend(),
        button("?", () => dialog("Discards", h("div", { class: "board-hanabi marks" }, MARKS.map(([, words]) => h("p", {}, words)))), { class: "quiet about-marks", "aria-label": "What the marks on the discards mean", "data-key": "about-marks" })),
      h("p", { class: "unseen" }, copies.length ? `Discarded: ${copies.join(", ")}. ` : "Nothing discarded. ", `Critical: ${view.critical.map(inWords).join(", ") || "none"}.`),
      h("div", { class: "ledger", "aria-hidden": "true" }, COLOURS.map((colour) => [
        sign(colour),
        RANKS.map((rank) => {
          const kind = colour[0] + rank;
          const played = view.piles[colour] >= rank;
          const state = played ? "played" : view.useless.includes(kind) ? "dead" : view.critical.includes(kind) && rank < 5 ? "critical" : "";
          const words = { played: "played", dead: "can never be played", critical: "critical: the last copy" }[state];
          return h("span", { class: `kind ${colour} ${state} ${gone[kind] ? "gone" : ""}`, data: { discard: kind }, title: [inWords(kind), gone[kind] && `${gone[kind]} discarded`, words].filter(Boolean).join(", ") },
            rank, gone[kind] > 1 && h("sup", {}, `×${gone[kind]}`), state === "critical" && h("em", {}, "!"));
        }),
      ])));
  }

  function hand(seat) {
    const mine = seat === view.seat;
    const name = context.names[seat] ?? `G${seat + 1}`;
    const acts = context.to_move === seat;
    const eye = !(mine && !context.past) && button(eyeSign(), () => {}, {
      class: "eye", "data-key": `eye-${seat}`, "aria-label": `Hold to see the hand of ${name} as its owner knows it`, title: "Hold to see this hand as its owner knows it",
      onpointerdown: () => empathy([seat]), onpointerleave: () => empathy([]), onpointerup: () => empathy([]), onpointercancel: () => empathy([]),
      onkeydown: (event) => (event.key === " " || event.key === "Enter") && !event.repeat && empathy([seat]),
      onkeyup: () => empathy([]),
      oncontextmenu: (event) => event.preventDefault(),
    });
    return h("section", { class: `hand ${mine ? "own" : ""} ${acts ? "acts" : ""}`, data: { hand: seat }, "aria-label": mine ? "Your hand" : `Hand of ${name}` },
      plate(context, seat, { mine, more: [mine && context.revealed && h("span", { class: "side-note" }, "Small: what you knew"), eye] }),
      h("div", { class: "cards" }, cardsOf(seat)));
  }

  function cardsOf(seat) {
    const cards = view.hands[seat].map((card, slot) => cardButton(card, seat, slot));
    return setting("newest") === "left" ? cards.reverse() : cards;
  }

  function cardButton(card, seat, slot) {
    const mine = seat === view.seat;
    const kind = kindOf(card, seat, slot);
    const seen = kind && !empathic.has(seat);
    const turnedUp = seen && !card.kind; // the viewer's own card, after the game
    const legal = context.choices.length > 0;
    const note = context.notes[card.card];
    const chop = setting("chop") && chopOf(view.hands[seat]) === card;
    const flags = empathic.has(seat) ? [] : ["playable", "critical", "useless"].filter((flag) => card[flag]);
    const marked = card.colour_hinted || card.rank_hinted;
    return h("button", {
      type: "button", class: `card ${seen ? "seen" : "unseen-card"} ${turnedUp ? "turned-up" : ""} ${marked ? "marked" : ""} ${flags.join(" ")}`,
      data: { card: card.card, key: `card-${card.card}` }, "aria-label": words(card, seat, slot, [...flags, chop && "next discard"], note),
      "aria-pressed": legal ? String(chosen?.own === slot && mine) : null,
      onclick: () => pick(seat, slot),
    },
    seen ? face(kind) : back(card),
    turnedUp && h("span", { class: "knew", title: "What you knew of it" }, back(card)),
    seen && marked && !turnedUp && h("span", { class: "hinted" }, card.colour_hinted && sign(card.colour_hinted), card.rank_hinted),
    flags.includes("critical") && h("span", { class: "flag", title: "critical: the last copy" }, "!"),
    flags.includes("useless") && h("span", { class: "flag", title: "useless: can never be played" }, "×"),
    flags.includes("playable") && h("span", { class: "flag", title: "playable now" }, "▲"),
    h("span", { class: "foot" }, h("span", { class: "slot" }, slot + 1), chop && h("span", { class: "chop", title: "next discard" }, "↓")),
    note && h("span", { class: "note", title: note }, drawnNote(note)));
  }

  // The kind of a card if visible: the viewer's own hand is revealed after the game.
  const kindOf = (card, seat, slot) => card.kind ?? (seat === view.seat ? context.revealed?.hands[seat]?.[slot]?.kind : null);

  function words(card, seat, slot, flags, note) {
    const hinted = [card.colour_hinted, card.rank_hinted].filter(Boolean).join(" ");
    const whose = seat === view.seat ? "Your card" : `${context.names[seat]}, card`;
    const age = slot === 0 ? ", the oldest" : "";
    const kind = kindOf(card, seat, slot);
    const seen = kind && !empathic.has(seat);
    const can = card.possible.length > 8 ? `${card.possible.length} kinds are possible` : `can be ${card.possible.map(inWords).join(", ")}`;
    return [`${whose} ${slot + 1}${age}: ${seen ? inWords(kind) : can}`, seen && !card.kind && `you knew: ${can}`, hinted && `hinted ${hinted}`, ...flags, note && `note: ${noteWords(note)}`].filter(Boolean).join("; ");
  }

  function empathy(seats) {
    const changed = [...new Set([...empathic, ...seats])];
    empathic = new Set(seats);
    for (const seat of changed) {
      const place = root.querySelector(`[data-hand="${seat}"]`);
      place?.classList.toggle("as-known", empathic.has(seat));
      if (place) redraw(place.querySelector(".cards"), cardsOf(seat));
    }
    lightRecent();
  }

  // Choosing a move

  const choices = (action) => context.choices.filter((choice) => choice.action === action);
  const hintsTo = (seat) => choices("hint").filter((choice) => choice.target === seat);

  function pick(seat, slot) {
    noting = null;
    if (seat === view.seat && !context.past) chosen = chosen?.own === slot ? null : { own: slot };
    else if (context.choices.length || mayNote()) chosen = { hint: seat, card: view.hands[seat][slot] };
    press();
    drawPrompt();
  }

  function press() {
    for (const [slot, card] of (view.hands[view.seat] ?? []).entries()) {
      const element = root.querySelector(`[data-card="${card.card}"]`);
      if (element?.hasAttribute("aria-pressed")) element.setAttribute("aria-pressed", String(chosen?.own === slot));
    }
  }

  function drawPrompt() {
    redraw(parts.prompt, prompt());
    if (chosen?.hint !== undefined && context.choices.length) light(chosen.value ? touched(chosen.hint, chosen.value) : null);
    else lightRecent();
  }

  function prompt() {
    if (noting) return noteForm();
    if (chosen?.sure) return question(chosen.sure);
    if (chosen?.own !== undefined) return ownCard(chosen.own);
    if (context.choices.length === 0 && chosen?.card && chosen.hint !== undefined) return [h("p", {}, cardName(chosen.card)), noteButton(chosen.card), button("Cancel", cancel, { class: "quiet", "data-key": "cancel" })];
    if (context.choices.length === 0) return context.past ? h("p", { class: "waits" }, "A past position. Hold the eye beside a hand to see it as its owner knew it.") : waitingWords(context, `${view.score} of 25 points.`);
    if (chosen?.hint !== undefined) return hintValues(chosen.hint);
    if (chosen?.ask === "hint") return [h("p", {}, "Hint which player?"), others().map((seat) => button(`${seat + 1} ${context.names[seat]}`, () => { chosen = { hint: seat }; drawPrompt(); }, { "data-key": `to-${seat}`, disabled: hintsTo(seat).length === 0 }))];
    if (chosen?.ask === "discard" && noDiscard()) return [h("p", { class: "asks" }, noDiscard()), button("Cancel", cancel, { class: "quiet", "data-key": "cancel" })];
    if (chosen?.ask) return h("p", { class: "asks" }, `${{ play: "Play", discard: "Discard", note: "Note on" }[chosen.ask]} which card? Press 1 to ${view.hands[view.seat].length}.`);
    return yourTurn("Choose one of your cards to play or discard, or another player's card to give a hint.");
  }

  const others = () => view.hands.map((_, seat) => seat).filter((seat) => seat !== view.seat);

  // By default, discarding is forbidden while all tokens are available.
  const noDiscard = () => (choices("discard").length ? "" : `You cannot discard while all ${view.most_tokens} hint tokens are available: give a hint or play a card.`);

  function ownCard(slot) {
    const card = view.hands[view.seat][slot];
    const play = choices("play").find((choice) => choice.slot === slot);
    const discard = choices("discard").find((choice) => choice.slot === slot);
    return [
      h("p", {}, `Your card ${slot + 1}`),
      button("Play", () => make(play), { class: "primary", disabled: !play, "data-key": "play" }),
      button("Discard", () => make(discard), { disabled: !discard, "data-key": "discard", title: context.choices.length ? noDiscard() : "" }),
      noteButton(card),
      button("Cancel", cancel, { class: "quiet", "data-key": "cancel" }),
    ];
  }

  // Keys are easily pressed by mistake: confirm their moves.
  const asked = ({ action, slot }) => `${action === "play" ? "Play" : "Discard"} card ${slot + 1}?`;
  const answers = "Enter confirms, Esc cancels.";
  const question = (choice) => [
    h("p", {}, h("strong", {}, asked(choice)), ` ${answers}`),
    button(choice.action === "play" ? "Play" : "Discard", () => make(choice), { class: "primary", "data-key": "sure" }),
    button("Cancel", cancel, { class: "quiet", "data-key": "cancel" }),
  ];

  function confirm(choice) {
    if (!choice) return actions.announce("That card cannot be chosen now.");
    if (!setting("confirm")) return make(choice);
    chosen = { own: choice.slot, sure: choice };
    press();
    drawPrompt();
    parts.prompt.querySelector("button").focus({ preventScroll: true });
    actions.announce(`${asked(choice)} ${answers}`);
  }

  // Notes, on the cards of every hand

  const mayNote = () => typeof context.as === "number" && !context.past;

  function whereIs(place) {
    const seat = view.hands.findIndex((hand) => hand.some(({ card }) => card === place));
    return seat < 0 ? null : { seat, slot: view.hands[seat].findIndex(({ card }) => card === place) };
  }

  function cardName({ card }) {
    const { seat, slot } = whereIs(card);
    return seat === view.seat ? `Your card ${slot + 1}` : `${context.names[seat]}, card ${slot + 1}`;
  }

  const noteButton = (card) => mayNote() && button(context.notes[card.card] ? "Edit note" : "Add note", () => beginNote(card), { "data-key": "note" });

  function beginNote(card) {
    noting = { card: card.card, text: context.notes[card.card] ?? "" };
    drawPrompt();
    parts.prompt.querySelector("input").focus();
  }

  function noteForm() {
    const card = { card: noting.card };
    const shown = h("span", { class: "note", "aria-hidden": "true" }, drawnNote(noting.text));
    const text = h("input", {
      type: "text", maxlength: 120, class: "wide", "data-key": "note-text", "aria-label": `Note on ${cardName(card)}`, placeholder: "r3, p, t, cm, or any text", autocomplete: "off", value: noting.text,
      oninput: () => { noting.text = text.value; redraw(shown, drawnNote(text.value)); },
      onkeydown: (event) => event.key === "Escape" && close(),
    });
    const close = () => { noting = null; drawPrompt(); focusCard(card); };
    const keepNote = (event) => { event.preventDefault(); noting = null; actions.note(card.card, text.value.trim()); drawPrompt(); focusCard(card); };
    return h("form", { class: "row", onsubmit: keepNote }, h("span", {}, cardName(card)), text, shown, h("button", { type: "submit", class: "primary" }, "Save"),
      button("Cancel", close, { class: "quiet", "data-key": "cancel-note" }));
  }

  // Drop targets of the viewer's own cards.
  function dropPlaces(element) {
    if (noting) return [];
    const slot = view.hands[view.seat]?.findIndex(({ card }) => String(card) === element.dataset.card);
    return [["play", ".piles", "Play"], ["discard", ".discards", "Discard"]].flatMap(([action, place, label]) => {
      const choice = choices(action).find((each) => each.slot === slot);
      return choice ? [{ place, label: `${label} card ${slot + 1}`, drop: () => make(choice) }] : [];
    });
  }

  const focusCard = (card) => root.querySelector(`[data-card="${card.card}"]`)?.focus();

  function hintValues(seat) {
    const legal = hintsTo(seat);
    if (legal.length === 0) return [h("p", {}, view.tokens === 0 ? "No hint tokens left." : `No hint is possible for ${context.names[seat]}.`), chosen.card && noteButton(chosen.card), button("Cancel", cancel, { class: "quiet" })];
    const apt = (choice) => chosen.card?.kind && (choice.value === colourOf(chosen.card.kind) || choice.value === rankOf(chosen.card.kind));
    return [
      h("p", { class: "hint-for" }, `Hint for ${context.names[seat]}`),
      h("div", { class: "values", role: "group", "aria-label": `Hints for ${context.names[seat]}` }, legal.map((choice) => h("button", {
        type: "button", class: `value ${COLOURS.includes(choice.value) ? choice.value : ""} ${apt(choice) ? "apt" : ""} ${chosen.value === choice.value ? "previewed" : ""}`,
        "data-key": `value-${choice.value}`,
        "aria-label": `${choice.value}: touches ${slots(seat, choice.cards)}`,
        onpointerenter: (event) => event.pointerType === "mouse" && light(choice.cards),
        onpointerleave: () => light(chosen?.value ? touched(seat, chosen.value) : null),
        onfocus: () => light(choice.cards),
        onclick: (event) => giveOrPreview(event, seat, choice),
      }, COLOURS.includes(choice.value) ? sign(choice.value) : choice.value))),
      chosen.value && button(`Hint ${chosen.value}`, () => make(legal.find((choice) => choice.value === chosen.value)), { class: "primary", "data-key": "give" }),
      chosen.card && !chosen.value && noteButton(chosen.card),
      button("Cancel", cancel, { class: "quiet", "data-key": "cancel" }),
    ];
  }

  // Touch has no hover: the first tap shows what a hint would touch, the second gives it.
  function giveOrPreview(event, seat, choice) {
    if (event.pointerType !== "touch" || chosen.value === choice.value) return make(choice);
    preview(seat, choice.value);
  }

  function preview(seat, value) {
    chosen = { ...chosen, ask: undefined, hint: seat, value };
    actions.announce(`${value} to ${context.names[seat]} touches ${slots(seat, touched(seat, value))}.`);
    drawPrompt();
  }

  const touched = (seat, value) => hintsTo(seat).find((choice) => choice.value === value)?.cards ?? [];
  function slots(seat, cards) {
    const numbers = cards.map((card) => view.hands[seat].findIndex((each) => each.card === card) + 1);
    return numbers.length === 0 ? "no card" : `${numbers.length === 1 ? "card" : "cards"} ${numbers.join(", ")}`;
  }

  function make(choice) {
    if (!choice) return;
    chosen = null;
    light(null);
    actions.move(choice.move);
  }

  function cancel() {
    const slot = chosen?.own;
    chosen = noting = null;
    press();
    drawPrompt();
    if (slot !== undefined && view.seat !== null) focusCard(view.hands[view.seat][slot]);
  }

  // Highlights: cards a hint touches or has just touched, the pile or discard that the history points at.

  const recent = () => (context?.event?.action === "hint" ? context.event.cards : null);

  function light(cards, where = null) {
    const lit = new Set(cards ?? []);
    for (const element of root.querySelectorAll("[data-card]")) element.classList.toggle("lit", lit.has(Number(element.dataset.card)));
    arrows.show(null);
    for (const element of root.querySelectorAll("[data-pile], [data-discard]")) element.classList.toggle("lit", Boolean(where) && (element.dataset.pile ?? element.dataset.discard) === where);
  }

  function lightRecent() {
    light(recent());
    if (recent()) arrows.show(context.event);
  }

  // The last move, for the sentence above the action bar.
  function describe(event) {
    if (event.action === "hint") return { sign: COLOURS.includes(event.value) ? sign(event.value) : event.value, more: `: ${slots(event.target, event.cards)}` };
    if (event.misplayed) return { sign: "✗", mistake: true, more: `. ${view.lives} of ${view.most_lives} lives left.` };
    return { sign: event.action === "play" ? "▲" : "▼" };
  }

  function highlight(event) {
    if (!event || !view) return lightRecent();
    if (event.action === "hint") {
      light(event.cards);
      return arrows.show(event);
    }
    if (event.action && event.cards) return light(event.cards); // a choice the kibitz panel points at
    light([], event.action === "play" && !event.misplayed ? colourOf(event.kind) : event.kind);
  }

  // Keys

  function key(event) {
    const pressed = event.key.toLowerCase();
    if (pressed === "e") {
      if (!event.repeat) empathy(view.hands.map((_, seat) => seat));
      return true;
    }
    if (event.key === "Escape" && chosen) return cancel(), true;
    if (event.key === "Enter" && chosen?.sure && !event.target.closest?.("button, a, summary")) return make(chosen.sure), true;
    if (event.key === "Enter" && chosen?.value && !event.target.closest?.("button, a")) return make(hintsTo(chosen.hint).find((choice) => choice.value === chosen.value)), true;
    const mine = view.seat !== null && view.seat !== undefined && !context.past;
    if (mayNote() && pressed === "n") {
      const card = root.contains(document.activeElement) && focused().dataset.card;
      return card ? (beginNote({ card: Number(card) }), true) : mine && ask("note");
    }
    if (!mine || context.choices.length === 0) return chosen?.ask === "note" && digit(pressed);
    if (chosen?.hint !== undefined) {
      const value = LETTERS[pressed] ?? Number(pressed);
      if (hintsTo(chosen.hint).some((choice) => choice.value === value)) {
        if (focused()?.closest(".board")) focused().blur();
        return preview(chosen.hint, value), true;
      }
    }
    if (pressed === "p") return ask("play");
    if (pressed === "d") return ask("discard");
    if (pressed === "h") {
      if (view.players === 2) chosen = { hint: 1 - view.seat };
      else chosen = { ask: "hint" };
      drawPrompt();
      actions.announce(view.players === 2 ? "Which colour or rank?" : "Hint which player?");
      return true;
    }
    return digit(pressed);
  }

  function ask(what) {
    chosen = { ask: what };
    noting = null;
    press();
    drawPrompt();
    actions.announce(what === "discard" ? noDiscard() || "Discard which card?" : `${{ play: "Play", note: "Note on" }[what]} which card?`);
    return true;
  }

  function digit(pressed) {
    const number = Number(pressed) - 1;
    if (!/^[1-9]$/.test(pressed) || !chosen?.ask) return false;
    if (chosen.ask === "hint") {
      if (!others().includes(number)) return false;
      chosen = { hint: number };
      drawPrompt();
      actions.announce("Which colour or rank?");
    } else if (chosen.ask === "note") {
      if (!view.hands[view.seat][number]) return false;
      chosen = { own: number };
      press();
      beginNote(view.hands[view.seat][number]);
    } else {
      confirm(choices(chosen.ask).find((choice) => choice.slot === number));
    }
    return true;
  }

  return {
    keys: KEYS,
    render,
    animate(event) {
      if (view && !reducedMotion()) pending = event;
    },
    highlight,
    describe,
    leave() {
      arrows.leave();
      drag.leave();
    },
    key,
    keyUp(event) {
      if (event.key.toLowerCase() === "e" || event.key === "") empathy([]);
    },
    odds: (odds) => oddsTable(odds),
  };
}

function oddsTable(odds) {
  const percent = (share) => `${Math.round(100 * share)} %`;
  const likeliest = (kinds) => Object.entries(kinds).sort((one, other) => other[1] - one[1]).slice(0, 3);
  return h("table", { class: "odds-table" },
    h("thead", {}, h("tr", {}, ["card", "playable", "useless", "critical", "most likely"].map((title) => h("th", { scope: "col" }, title)))),
    h("tbody", {}, odds.map((card) => h("tr", {},
      h("th", { scope: "row" }, card.slot + 1),
      ["playable", "useless", "critical"].map((what) => h("td", { class: `share ${what}`, style: { "--share": percent(card[what]).replace(" ", "") } }, percent(card[what]))),
      h("td", { class: "kinds" }, likeliest(card.kinds).map(([kind, share]) => h("span", { title: `${inWords(kind)}: ${percent(share)}` }, sign(colourOf(kind)), h("span", { class: "unseen" }, colourOf(kind)), rankOf(kind))))))));
}
