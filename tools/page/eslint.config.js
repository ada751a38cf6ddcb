// What ESLint looks for in the page; types are checked by the TypeScript compiler, layout by nobody.

import js from "@eslint/js";
import globals from "globals";
import texts from "./texts.js";

export default [
  js.configs.recommended,
  {
    files: ["server/web/static/*.js", "games/**/page/*.js"],
    languageOptions: { ecmaVersion: 2023, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    plugins: { texts },
    rules: {
      "texts/translated": "error",
      "array-callback-return": "error",
      "default-param-last": "error",
      "dot-notation": "error",
      eqeqeq: "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-implicit-globals": "error",
      "no-new-func": "error",
      "no-restricted-properties": ["error", ...["innerHTML", "outerHTML", "insertAdjacentHTML"].map((property) => ({ property, message: "Build elements with h(): text must never be parsed as HTML." }))],
      "no-self-compare": "error",
      "no-unmodified-loop-condition": "error",
      "no-unused-vars": ["error", { args: "after-used", caughtErrors: "all", ignoreRestSiblings: true }],
      "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
];
