export function mount(root){return {render(){}}}
