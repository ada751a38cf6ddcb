// A rule for ESLint: every text that visitors see or hear goes through `t`, so that it can be translated.

const ATTRIBUTES = new Set(["aria-label", "aria-valuetext", "title", "placeholder", "alt", "label", "hint", "text"]);
const SILENT = new Set(["class", "style", "d", "viewBox", "points", "transform", "href", "src", "role", "type", "tag", "data-key", "key", "name", "rel", "command"]);
// Functions whose arguments visitors see, from one of them to another, and functions whose arguments they do not.
const SHOWN = { h: [2, 99], button: [0, 0], field: [0, 9], toast: [0, 0], announce: [0, 0], dialog: [0, 99], copyText: [1, 1], sidePanel: [1, 99], yourTurn: [0, 9], waitingWords: [1, 1], t: [1, 1], tn: [3, 3] };
const HIDDEN = new Set(["querySelector", "querySelectorAll", "getElementById", "closest", "matches", "setAttribute", "getAttribute", "addEventListener",
  "CSS", "matchMedia", "styleSheet", "fetch", "Error", "TypeError", "has", "get", "includes", "setProperty", "startsWith", "replaceAll", "join", "split", "symbol", "getPropertyValue", "import", "animate", "toggle", "choice", "setChoice"]);
const PROSE = /^\s*[\p{Lu}][\p{Ll}’]|\p{L}[’.,;:!?…]*\s+[\p{L}(]/u;
const WORD = /\p{L}{2}/u;
const KEYS = /^([.#[][^ ]*.*|error|light dark|Arrow\w+|Home|End|Page\w*|Enter|Esc|Escape|Tab|Shift|Delete|Backspace)$/;

const callee = (node) => node.callee.name ?? node.callee.property?.name ?? "";

// Where a string goes: "shown", "hidden", or "" if nobody can tell.
function place(node) {
  for (let child = node, parent = node.parent; parent; child = parent, parent = parent.parent) {
    switch (parent.type) {
      case "ConditionalExpression": if (parent.test === child) return "hidden"; break;
      case "LogicalExpression": case "ArrayExpression": case "SpreadElement": case "ChainExpression": break;
      case "TemplateLiteral": break;
      case "Property": {
        if (parent.key === child && parent.value !== child) return "hidden";
        const name = parent.key.value ?? parent.key.name;
        if (ATTRIBUTES.has(name)) return "shown";
        if (parent.parent.parent.type === "CallExpression" && ["t", "tn"].includes(callee(parent.parent.parent))) return "shown";
        return SILENT.has(name) || String(name).startsWith("data") ? "hidden" : "";
      }
      case "CallExpression": case "NewExpression": {
        const name = callee(parent);
        if (HIDDEN.has(name)) return "hidden";
        const at = parent.arguments.indexOf(child);
        if (name in SHOWN) return at >= SHOWN[name][0] && at <= SHOWN[name][1] ? "shown" : "hidden";
        return "";
      }
      case "BinaryExpression": if (parent.operator !== "+") return "hidden"; break;
      case "MemberExpression": if (parent.property === child) return "hidden"; break;
      case "AssignmentExpression": return parent.left.property?.name === "textContent" ? "shown" : parent.left.property?.name === "className" ? "hidden" : "";
      case "ImportExpression": case "ImportDeclaration": case "ExportNamedDeclaration": case "SwitchCase": case "ExpressionStatement": return "hidden";
      default: return "";
    }
  }
  return "";
}

const textOf = (node) => (node.type === "Literal" ? node.value : node.quasis.map((each) => each.value.cooked).join("\u0000"));

function named(expression, used) {
  const found = expression.type === "Identifier" ? expression.name
    : expression.type === "MemberExpression" ? (expression.computed ? (expression.object.property?.name ?? expression.object.name ?? "a").replace(/s$/, "") : expression.property.name)
    : expression.type === "CallExpression" ? callee(expression) : "a";
  let name = found;
  for (let n = 2; used.has(name); n++) name = found + n;
  used.add(name);
  return name;
}

export default {
  rules: {
    translated: {
      meta: { type: "problem", fixable: "code", schema: [], messages: { bare: "Visitors see this text: write t({{ text }})." } },
      create(context) {
        function check(node) {
          const text = textOf(node);
          if (typeof text !== "string" || !WORD.test(text) || KEYS.test(text)) return;
          const where = place(node);
          if (where === "hidden" || (where === "" && !PROSE.test(text))) return;
          context.report({
            node, messageId: "bare", data: { text: JSON.stringify(text) },
            fix(fixer) {
              const source = context.sourceCode;
              if (node.type === "Literal") {
                const [, before, words, after] = node.value.match(/^(\s*)([^]*?)(\s*)$/);
                const call = [before && JSON.stringify(before), `t(${JSON.stringify(words)})`, after && JSON.stringify(after)].filter(Boolean).join(" + ");
                return fixer.replaceText(node, before || after ? `(${call})` : call);
              }
              const used = new Set();
              const names = node.expressions.map((each) => named(each, used));
              const key = node.quasis.map((each, n) => each.value.cooked + (n < names.length ? `{${names[n]}}` : "")).join("");
              const values = node.expressions.map((each, n) => (source.getText(each) === names[n] ? names[n] : `${names[n]}: ${source.getText(each)}`));
              return fixer.replaceText(node, `t(${JSON.stringify(key)}${names.length ? `, { ${values.join(", ")} }` : ""})`);
            },
          });
        }
        return { Literal: check, TemplateLiteral: check };
      },
    },
  },
};
