// @ts-check
// Imported first by modules that are loaded on demand: their texts are a section of their own.

import { loadTexts } from "./texts.js";

await loadTexts("more");
