// @ts-check
// Load a game's own board, or the plain one. See docs/how-to/boards.md.

import { styleSheet } from "./dom.js";
import { loadTexts } from "./texts.js";

export async function mountBoard(game, root, actions) {
  const own = withBoard.has(game);
  const module = own ? await moduleOf(game) : await import("./plain_board.js");
  root.replaceChildren();
  root.className = `board board-${own ? game : "plain"}`;
  return module.mount(root, actions);
}

async function moduleOf(game) {
  await loadTexts(game);
  const module = await import(`/games/${encodeURIComponent(game)}/board.js`);
  await styleSheet(`/games/${encodeURIComponent(game)}/board.css`);
  return module;
}

const withBoard = new Set();

// Register the games that have their own board, by the catalogue.
export function registerBoards(games) {
  for (const game of games) if (game.board) withBoard.add(game.name);
}
