export function mount(root, actions) { return { render(view, context) {} }; }
