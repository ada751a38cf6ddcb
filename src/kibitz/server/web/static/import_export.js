// @ts-check
// Import of games from a file, pasted text or a link; export as a record or in formats of other programs.

import "./more_texts.js";
import { button, dialog, field, h } from "./dom.js";
import { listed, t } from "./texts.js";

export function importGame(shell) {
  const others = (shell.catalogue ?? []).flatMap((game) => game.formats.map((format) => format.title));
  const text = h("textarea", { rows: 5, spellcheck: "false", autocomplete: "off", class: "wide" });
  const file = h("input", { type: "file", accept: ".json,.jsonl,.txt,.pbn,.pdn,application/json", onchange: async () => file.files[0] && send(await file.files[0].text()) });
  const problem = h("p", { class: "problem", role: "alert" });
  const box = dialog(t("Import game"),
    h("form", { class: "setup", onsubmit: (event) => { event.preventDefault(); send(text.value); } },
      field(t("From a file"), file),
      field(t("Or paste it here"), text, others.length ? t("A game exported from kibitz, or {formats}.", { formats: listed(others, "or") }) : t("A game exported from kibitz.")),
      problem,
      h("div", { class: "row end" }, button(t("Cancel"), () => box.close()), h("button", { type: "submit", class: "primary" }, t("Import")))));

  async function send(game) {
    problem.textContent = "";
    const body = /^\s*[{[]/.test(game) ? game : JSON.stringify(game); // a bare link is not JSON
    try {
      const answer = await fetch("/api/import", { method: "POST", headers: { "Content-Type": "application/json" }, body });
      const imported = await answer.json();
      if (!answer.ok) throw new Error(imported.error);
      box.close();
      shell.go(`/table/${imported.table}/turn/0`);
    } catch (error) {
      problem.textContent = error.message;
      file.value = "";
    }
  }
}

const recordAddress = (table, format) => `/api/tables/${table}.json${format ? `?format=${encodeURIComponent(format)}` : ""}`;

export function exportGame(game, table) {
  const rows = [{ title: t("kibitz record") }, ...game.formats].map((format) => {
    const row = h("section", {}, h("h3", {}, format.title));
    fill(row, format);
    return row;
  });
  dialog(t("Export game"), rows);

  async function fill(row, format) {
    const address = recordAddress(table, format.name);
    try {
      const answer = await fetch(address);
      if (!answer.ok) throw new Error((await answer.json()).error);
      row.append(format.link ? linked(await answer.text(), format.title) : h("a", { class: "button", href: address, download: "" }, t("Download")));
    } catch (error) {
      row.append(h("p", { class: "problem" }, error.message));
    }
  }
}

function linked(address, title) {
  return h("div", { class: "row" },
    h("input", { type: "text", class: "wide", readonly: true, value: address, "aria-label": title, onfocus: (event) => event.target.select() }),
    h("a", { class: "button", href: address, target: "_blank", rel: "noreferrer" }, t("Open")));
}
