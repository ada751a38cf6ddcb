// Somebody followed an invitation: ask for a name, and sit down.

import { button, field, h } from "./dom.js";
import * as keep from "./keep.js";

export function showJoin(main, shell, [table, invitation]) {
  const name = h("input", { type: "text", maxlength: 40, autocomplete: "nickname", value: keep.name() });
  const trouble = h("p", { class: "trouble", role: "alert" });
  const submit = h("button", { class: "primary", type: "submit", disabled: true }, "Sit down"); // until there is somebody to tell
  const form = h(
    "form",
    { class: "card join", onsubmit: sit },
    h("h1", {}, "You are invited to a table"),
    h("p", {}, "Tell the others who you are, and take your seat."),
    field("Your name", name),
    trouble,
    h("div", { class: "row" }, submit, button("Only look on", () => shell.go(`/table/${table}`))),
  );
  main.append(form);
  name.focus();
  const held = keep.seat(table);
  if (held?.token) shell.go(`/table/${table}`);

  async function sit(event) {
    event.preventDefault();
    keep.setName(name.value.trim());
    try {
      const seat = await shell.connection.ask({ type: "sit", table, invitation, name: keep.name() || undefined }, true);
      keep.setSeat(table, { token: seat.token, seat: seat.seat });
      shell.go(`/table/${table}`);
    } catch (error) {
      trouble.textContent = error.message;
    }
  }

  return {
    ready() {
      submit.disabled = false;
    },
    broken() {
      submit.disabled = true;
    },
  };
}
