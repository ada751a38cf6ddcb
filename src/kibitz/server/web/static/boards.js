// Load a game's own board, or the plain one. See docs/how-to/boards.md.

import { h } from "./dom.js";
import * as plain from "./plain_board.js";

const styled = new Set();

export async function mountBoard(game, root, actions) {
  const module = await moduleOf(game);
  root.replaceChildren();
  root.className = `board board-${module === plain ? "plain" : game}`;
  return module.mount(root, actions);
}

async function moduleOf(game) {
  if (!withBoard.has(game)) return plain;
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

const withBoard = new Set();

// Register the games that have their own board, by the catalogue.
export function registerBoards(games) {
  for (const game of games) if (game.board) withBoard.add(game.name);
}
