// @ts-check
// Dragging with mouse, pen or finger. A finger must rest for a moment first, so that it can still scroll the page.

const THRESHOLD = 6; // pixels a mouse moves before a drag starts
const HOLD = 220; // milliseconds a finger rests before a drag starts
const STRAY = 10; // pixels it may move meanwhile

// Make elements that match `what` draggable. `offer(element)` returns targets: [{ place, label, drop() }], `place` a selector;
// an empty list if it cannot be dragged now. Returns { cancel(), leave() }.
export function dragging(root, what, offer) {
  let drag = null; // { key, pointer, x, y, targets, active, timer }
  const find = (selector) => root.querySelector(selector);
  const held = () => find(`[data-key="${drag.key}"]`);

  function down(event) {
    const element = event.target.closest?.(what);
    if (!element || drag || event.button !== 0 || !event.isPrimary) return;
    drag = { key: element.dataset.key, pointer: event.pointerId, touch: event.pointerType === "touch", x: event.clientX, y: event.clientY, targets: offer(element), active: false };
    if (drag.targets.length === 0) drag = null;
    else if (drag.touch) drag.timer = setTimeout(start, HOLD);
  }

  function start() {
    drag.active = true;
    root.classList.add("dragging");
    show(null);
  }

  function move(event) {
    if (event.pointerId !== drag?.pointer) return;
    if (event.buttons === 0) return end(); // released outside the window
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.active) {
      const far = Math.hypot(x, y);
      if (drag.touch && far > STRAY) return end(); // it scrolls
      if (drag.touch || far < THRESHOLD) return;
      start();
    }
    const element = held();
    if (!element) return end();
    element.classList.add("dragged");
    element.style.translate = `${x}px ${y}px`;
    show(under(event));
  }

  const under = ({ clientX, clientY }) => drag.targets.find(({ place }) => {
    const box = find(place)?.getBoundingClientRect();
    return box && clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;
  });

  // Mark the drop targets during a drag; the board may have been redrawn since.
  function show(over) {
    for (const target of drag.targets) {
      const place = find(target.place);
      place?.classList.add("drop");
      place?.classList.toggle("over", target === over);
      place?.setAttribute("data-drop", target.label);
    }
  }

  function up(event) {
    if (event.pointerId !== drag?.pointer) return;
    const target = drag.active ? under(event) : null;
    if (drag.active) swallowClick();
    end();
    target?.drop();
  }

  function swallowClick() {
    const swallow = (event) => { event.stopPropagation(); event.preventDefault(); };
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }));
  }

  function end() {
    if (!drag) return;
    clearTimeout(drag.timer);
    const element = held();
    element?.classList.remove("dragged");
    element?.style.removeProperty("translate");
    for (const place of root.querySelectorAll(".drop")) {
      place.classList.remove("drop", "over");
      place.removeAttribute("data-drop");
    }
    root.classList.remove("dragging");
    drag = null;
  }

  function key(event) {
    if (event.key !== "Escape" || !drag?.active) return;
    event.stopPropagation();
    swallowUp();
    end();
  }

  // The button is still down: releasing it is not a click.
  const swallowUp = () => addEventListener("pointerup", swallowClick, { capture: true, once: true });

  // In a window of another size the places have moved: the drag ends, and nothing is dropped.
  function resized() {
    if (drag?.active) swallowUp();
    end();
  }

  const still = (event) => drag?.active && event.cancelable && event.preventDefault();
  const listeners = [
    [root, "pointerdown", down], [window, "pointermove", move], [window, "pointerup", up],
    [window, "resize", resized], [window, "pointercancel", (event) => event.pointerId === drag?.pointer && end()], [window, "keydown", key, true],
    [root, "touchmove", still, { passive: false }], [root, "contextmenu", (event) => drag?.touch && event.preventDefault()],
    [root, "dragstart", (event) => event.preventDefault()],
  ];
  for (const [where, ...rest] of listeners) where.addEventListener(...rest);
  return {
    cancel: end,
    leave() {
      end();
      for (const [where, ...rest] of listeners) where.removeEventListener(...rest);
    },
  };
}
