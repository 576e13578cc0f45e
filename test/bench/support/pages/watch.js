// @ts-check
// This script is injected into every page before the page's own scripts. It checks in every animation frame whether the
// page is usable.

const goal = Reflect.get(globalThis, 'benchGoal');
let shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) shift += Reflect.get(entry, 'value');
}).observe({type: 'layout-shift', buffered: true});

Object.assign(globalThis, {
  benchUsable: untilUsable(goal),
  benchTexts: () => textsOf(document.body),
  benchShift: () => shift,
  benchTap: () => untilCode(goal.tap),
});

/**
 * Presses a button, and waits until the order code is visible.
 * @param {import('../slow-phone.mjs').Tap} tap
 * @returns {Promise<number>} The time from the tap to the code, in ms.
 */
function untilCode({hosts, button, codeHosts, code}) {
  return new Promise((resolve) => {
    const start = performance.now();
    const pressed = innermost(hosts)?.querySelector(button);
    if (pressed instanceof HTMLElement) pressed.click();
    const check = () => {
      const found = innermost(codeHosts)?.querySelector(code);
      if (found && isSeen(found)) resolve(performance.now() - start);
      else requestAnimationFrame(check);
    };
    requestAnimationFrame(check);
  });
}

/**
 * @param {import('../slow-phone.mjs').Goal} goal
 * @returns {Promise<{content: number, amount: number, usable: number}>}
 */
function untilUsable({hosts, controls, count, amount}) {
  return new Promise((resolve) => {
    let content = 0;
    let amountAt = 0;
    const check = () => {
      const first = hosts[0] && document.querySelector(hosts[0])?.shadowRoot?.firstElementChild;
      if (!content && first && isSeen(first)) content = performance.now();
      const price = amount && innermost(hosts.slice(0, 1))?.querySelector(amount);
      if (!amountAt && price && isSeen(price)) amountAt = performance.now();
      const found = [...(innermost(hosts)?.querySelectorAll(controls) ?? [])];
      if (found.length === count && found.every(isSeen)) {
        const usable = performance.now();
        if (reacts(found[0])) return resolve({content: content || usable, amount: amountAt, usable});
      }
      requestAnimationFrame(check);
    };
    requestAnimationFrame(check);
  });
}

/**
 * @param {readonly string[]} hosts
 * @returns {ParentNode | null | undefined}
 */
function innermost(hosts) {
  /** @type {ParentNode | null | undefined} */
  let root = document;
  for (const host of hosts) root = root?.querySelector(host)?.shadowRoot;
  return root;
}

/** @param {Element} element */
function isSeen(element) {
  return (
    element.checkVisibility({visibilityProperty: true, opacityProperty: true}) &&
    element.getBoundingClientRect().height > 0
  );
}

/**
 * Whether the control, or its label, is the topmost element at its center, and reacts to the space bar.
 * @param {Element | undefined} control
 */
function reacts(control) {
  if (!(control instanceof HTMLInputElement)) return false;
  const {x, y, width, height} = control.getBoundingClientRect();
  let topmost = document.elementFromPoint(x + width / 2, y + height / 2);
  while (topmost?.shadowRoot) topmost = topmost.shadowRoot.elementFromPoint(x + width / 2, y + height / 2);
  if (topmost !== control && topmost?.closest('label')?.control !== control) return false;
  // The space bar only selects a bank. After a tap, the checkout would continue with the next step.
  control.dispatchEvent(new KeyboardEvent('keydown', {key: ' ', bubbles: true}));
  control.click();
  control.focus();
  return control.type === 'radio' ? control.checked : document.activeElement === control;
}

/**
 * All texts in the node, also inside shadow roots.
 * @param {Node} node
 * @returns {string[]}
 */
function textsOf(node) {
  if (node instanceof Text) return [node.data.replaceAll(/\s+/g, ' ').trim()].filter(Boolean);
  if (node instanceof HTMLStyleElement || node instanceof HTMLScriptElement) return [];
  const inside = node instanceof Element && node.shadowRoot ? node.shadowRoot : node;
  return [...inside.childNodes].flatMap(textsOf);
}
