// The board a game brings, or the plain one. See docs/how-to/boards.md.

import { h } from "./dom.js";
import * as plain from "./plain_board.js";

const styled = new Set();

export async function boardOf(game, root, actions) {
  const module = await broughtBy(game);
  root.replaceChildren();
  root.className = `board board-${module === plain ? "plain" : game}`;
  return module.mount(root, actions);
}

async function broughtBy(game) {
  if (!brought.has(game)) return plain;
  const module = await import(`/games/${encodeURIComponent(game)}/board.js`);
  if (!styled.has(game)) {
    styled.add(game);
    const sheet = h("link", { rel: "stylesheet", href: `/games/${encodeURIComponent(game)}/board.css` });
    document.head.append(sheet);
    await new Promise((done) => {
      sheet.addEventListener("load", done);
      sheet.addEventListener("error", done);
    });
  }
  return module;
}

const brought = new Set();

// Which games bring a board, as the catalogue says.
export function bringBoards(games) {
  for (const game of games) if (game.board) brought.add(game.name);
}
