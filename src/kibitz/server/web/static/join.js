// @ts-check
// The page behind an invitation: check the seat, ask for a name, sit down.

import "./more_texts.js";
import { button, field, h, redraw, toast } from "./dom.js";
import { knownDealSentence } from "./known_deal.js";
import * as storage from "./storage.js";
import { t } from "./texts.js";

// Take an open seat of a table that anyone may join; a visitor without a name enters one first.
export async function joinTable(shell, table) {
  if (!storage.name()) return shell.go(`/join/${table}`);
  try {
    const seat = await shell.connection.ask({ type: "sit", table, name: storage.name() }, true);
    storage.setSeat(table, { token: seat.token, seat: seat.seat });
    shell.go(`/table/${table}`);
  } catch (error) {
    toast(error.message, "error");
  }
}

/** @param {HTMLElement} main @param {any} shell @param {string[]} words */
export function showJoin(main, shell, [table, invitation]) {
  const name = h("input", { type: "text", maxlength: 40, autocomplete: "nickname", value: storage.name() });
  const trouble = h("p", { class: "trouble", role: "alert" });
  const submit = h("button", { class: "primary", type: "submit", disabled: true }, t("Sit down")); // until the invitation is checked
  const title = h("h1", {}, invitation ? t("Invitation") : t("Open seat"));
  const about = h("p", {}, t("Checking the seat …"));
  const deal = h("p", { class: "known-deal", role: "note", hidden: true });
  const form = h(
    "form",
    { class: "card join", onsubmit: sit },
    title,
    about,
    deal,
    field(t("Your name"), name),
    trouble,
    h("div", { class: "row" }, submit, button(t("Just watch"), () => shell.go(`/table/${table}`))),
  );
  main.append(form);
  name.focus();
  const held = storage.seat(table);
  if (held?.token) shell.go(`/table/${table}`);

  async function sit(event) {
    event.preventDefault();
    storage.setName(name.value.trim());
    try {
      const seat = await shell.connection.ask({ type: "sit", table, invitation, name: storage.name() || undefined }, true);
      storage.setSeat(table, { token: seat.token, seat: seat.seat });
      shell.go(`/table/${table}`);
    } catch (error) {
      trouble.textContent = error.message;
    }
  }

  async function check() {
    try {
      const invited = await shell.connection.ask({ type: "invitation", table, invitation: invitation ?? "" }, true);
      title.textContent = invitation ? t("You are invited to play {title}", { title: invited.title }) : t("Open seat: {title}", { title: invited.title });
      about.textContent = [invited.names.length && t("At the table: {names}.", { names: invited.names.join(", ") }), t("Enter your name and sit down.")].filter(Boolean).join(" ");
      deal.textContent = knownDealSentence(invited);
      deal.hidden = !deal.textContent;
      submit.disabled = false;
    } catch (error) {
      if (error.code === "broken") return; // checked again after reconnecting
      refuse(error);
    }
  }

  function refuse({ code, message }) {
    redraw(form,
      h("h1", {}, invitation ? t("This invitation is not valid") : t("No seat available")),
      h("p", { role: "alert" }, message, invitation && ` ${t("Ask the sender for a new one.")}`),
      h("div", { class: "row" }, h("a", { href: "#/", class: "button" }, t("Back to the lobby")),
        code === "not_yours" && button(t("Just watch"), () => shell.go(`/table/${table}`))));
  }

  return {
    ready: check,
    broken() {
      submit.disabled = true;
    },
  };
}
