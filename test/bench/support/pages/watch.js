// @ts-check
// Put into every page before anything of its own: looks at every frame whether it can be used.

Object.assign(globalThis, {
  benchUsable: untilUsable(Reflect.get(globalThis, 'benchGoal')),
  benchTexts: () => textsOf(document.body),
});

/**
 * @param {import('../slow-phone.mjs').Goal} goal
 * @returns {Promise<{content: number, usable: number}>}
 */
function untilUsable({hosts, controls, count}) {
  return new Promise((resolve) => {
    let content = 0;
    const look = () => {
      const first = hosts[0] && document.querySelector(hosts[0])?.shadowRoot?.firstElementChild;
      if (!content && first && isSeen(first)) content = performance.now();
      const found = [...(innermost(hosts)?.querySelectorAll(controls) ?? [])];
      if (found.length === count && found.every(isSeen)) {
        const usable = performance.now();
        if (answers(found[0])) return resolve({content: content || usable, usable});
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
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
 * Whether a control is what a finger would meet in its middle, and does what it is for.
 * @param {Element | undefined} control
 */
function answers(control) {
  if (!(control instanceof HTMLInputElement)) return false;
  const {x, y, width, height} = control.getBoundingClientRect();
  let met = document.elementFromPoint(x + width / 2, y + height / 2);
  while (met?.shadowRoot) met = met.shadowRoot.elementFromPoint(x + width / 2, y + height / 2);
  if (met !== control) return false;
  control.click();
  control.focus();
  return control.type === 'radio' ? control.checked : document.activeElement === control;
}

/**
 * All that is written in the page, also in shadows.
 * @param {Node} node
 * @returns {string[]}
 */
function textsOf(node) {
  if (node instanceof Text) return [node.data.replaceAll(/\s+/g, ' ').trim()].filter(Boolean);
  if (node instanceof HTMLStyleElement || node instanceof HTMLScriptElement) return [];
  const inside = node instanceof Element && node.shadowRoot ? node.shadowRoot : node;
  return [...inside.childNodes].flatMap(textsOf);
}
