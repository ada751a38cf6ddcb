// @ts-check
// The chat of a table: messages, quick phrases, and free text where it is allowed.

import { announce, button, field, h, options, redraw, toast } from "./dom.js";
import { sidePanel } from "./side.js";
import { setting } from "./settings.js";
import * as storage from "./storage.js";
import { localized, t } from "./texts.js";

const LONGEST = 200; // characters
const KEPT = 100; // lines
const MODES = [["quick", t("Quick phrases only")], ["free", t("Free text")], ["off", t("Off")]];

export const chatModeField = (chosen = "quick", onchange = null) => {
  const select = options(h("select", { "data-key": "chat-mode", onchange: () => onchange?.(select.value) }), MODES, chosen);
  return { select, element: field(t("Chat during the game"), select, t("Quick phrases cannot give a card away. After the game, free text is allowed.")), read: () => select.value };
};

export function chatPanel(at, shell, requests) {
  const list = h("div", { class: "chat-lines", role: "log", "aria-live": "off", "aria-label": t("Messages"), tabindex: 0 });
  const badge = h("span", { class: "badge", hidden: true });
  const silence = h("p", { class: "muted small" });
  const words = h("div", { class: "quick-words", role: "group", "aria-label": t("Quick phrases") });
  const text = h("input", { type: "text", class: "wide", maxlength: LONGEST, "aria-label": t("Message"), placeholder: t("Message …"), autocomplete: "off" });
  const form = h("form", { class: "row say", onsubmit: speak }, text, h("button", { type: "submit" }, t("Send")));
  const mode = chatModeField("quick", (chat) => requests.send({ type: "options", chat }));
  const others = h("input", { type: "checkbox", onchange: () => requests.send({ type: "options", chat_spectators: others.checked }) });
  const host = h("details", {}, h("summary", { class: "small muted" }, t("Chat settings")), mode.element, h("label", { class: "check small" }, others, ` ${t("Let spectators chat before the end")}`));
  const side = sidePanel("chat", t("Chat"), list, silence, words, form, host);
  side.tab.append(badge);
  let lines = [];
  let read = -1; // the number of the last line read
  let drawn = null;

  const on = () => setting("chat");
  const mine = (line) => line.seat !== undefined && line.seat === at.message?.as;

  // What the viewer may send now; the server applies the same rule.
  function may() {
    const { state, as, options: held = {} } = at.message;
    const chat = held.chat ?? "quick";
    if (chat === "off") return "";
    if (held.open || state === "finished" || state === "abandoned") return "free";
    if (typeof as !== "number" && (held.spectators || !held.chat_spectators)) return "";
    return chat;
  }

  async function speak(event) {
    event.preventDefault();
    const said = text.value;
    if (!said.trim()) return;
    text.value = "";
    try {
      await requests.ask({ type: "chat", text: said });
    } catch (error) {
      text.value ||= said; // an unsent message can be sent again
      toast(error.code === "broken" ? t("The connection was lost; your message may not have arrived.") : error.message, "error");
    }
  }

  // Quick phrases are in the reader's language.
  const spoken = ({ text }) => (shell.connection.quickWords?.includes(text) ? localized(text) : text);

  function written(line) {
    return h("p", { class: mine(line) ? "mine" : "", title: new Date(line.at * 1000).toLocaleTimeString() },
      h("b", { dir: "auto" }, line.name), " ", line.seat === undefined && h("span", { class: "muted small" }, `${t("spectator")} `), h("span", { dir: "auto" }, spoken(line)));
  }

  function draw() {
    if (drawn === lines) return;
    drawn = lines;
    list.replaceChildren(...lines.map(written));
    list.scrollTop = list.scrollHeight;
  }

  function mark() {
    const last = lines.at(-1)?.number ?? -1;
    if (side.open && !document.hidden) read = Math.max(read, last);
    const unread = lines.filter((line) => line.number > read && !mine(line)).length;
    badge.hidden = unread === 0;
    redraw(badge, unread > 0 && [String(unread), h("span", { class: "unseen" }, ` ${t("unread")}`)]);
  }

  side.toggled = () => { draw(); mark(); list.scrollTop = list.scrollHeight; };
  document.addEventListener("visibilitychange", mark);
  const changed = () => at.message && panel.update();
  addEventListener("settings", changed);

  const panel = {
    panel: side,
    keys: [["C", t("open the chat")]],
    // All stored messages, on arrival: earlier ones do not count as unread.
    hearAll(message) {
      lines = message.lines;
      if (read < 0) read = lines.at(-1)?.number ?? -1;
      draw();
      mark();
    },
    hear({ line }) {
      lines = [...lines, line].slice(-KEPT);
      draw();
      mark();
      if (on() && !mine(line)) announce(t("{name} says: {text}", { name: line.name, text: spoken(line) }));
    },
    update() {
      const held = at.message.options ?? {};
      const allowed = may();
      const hosts = Boolean(storage.seat(at.table)?.host);
      side.hide(!on() || (held.chat === "off" && !hosts));
      if (words.childElementCount === 0) words.append(...(shell.connection.quickWords ?? []).map((word, number) => button(localized(word), () => requests.send({ type: "chat", word: number }))));
      words.hidden = !allowed;
      form.hidden = allowed !== "free";
      host.hidden = !hosts;
      if (document.activeElement !== mode.select) mode.select.value = held.chat ?? "quick";
      others.checked = Boolean(held.chat_spectators);
      silence.textContent = allowed === "free" ? "" : allowed ? t("Quick phrases only, until the game is over.") : held.chat === "off" ? t("Chat is off.")
        : held.spectators ? t("You may see hands, so you can chat when the game is over.") : t("Only players can chat during the game.");
      mark();
    },
    key(event, open) {
      if (event.key.toLowerCase() !== "c" || side.element.hidden) return false;
      open("chat");
      /** @type {HTMLElement} */ (form.hidden ? words.hidden ? list : words.firstElementChild : text).focus();
      return true;
    },
    leave() {
      document.removeEventListener("visibilitychange", mark);
      removeEventListener("settings", changed);
    },
  };
  return panel;
}
