// What the page looks up are its own elements, which can all be focused and clicked.
interface ParentNode {
  querySelector(selectors: string): HTMLElement | null;
  querySelectorAll(selectors: string): NodeListOf<HTMLElement>;
}

// Connection sends its messages as custom events.
interface EventTarget {
  addEventListener(type: "heard", listener: (event: CustomEvent) => void): void;
}
