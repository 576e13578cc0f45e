/** Helpers that show an element, and read what a shopper sees of it. They also search inside shadow roots. */

import '../../../widgets/bundles/transfer.ts';
import type {FakeTime} from './fake-time.ts';

const containers: Element[] = [];

afterEach(() => {
  for (const container of containers.splice(0)) container.remove();
});

/** Adds markup to the page until the end of the test. @returns Its first element. */
export function show<T extends Element = HTMLElement>(markup: string): T {
  const container = document.createElement('div');
  // Too narrow for a QR code beside the order code.
  container.style.inlineSize = 'min(600px, 100%)';
  container.innerHTML = markup;
  document.body.append(container);
  containers.push(container);
  return container.firstElementChild as T;
}

/** All matching elements, in reading order. */
export function findAll<T extends Element = HTMLElement>(
  within: Element | ShadowRoot | Document,
  selector: string,
): T[] {
  const found: T[] = [];
  const visit = (node: Element | ShadowRoot | Document): void => {
    for (const child of Array.from(node.children)) {
      if (child.matches(selector)) found.push(child as T);
      if (child.shadowRoot) visit(child.shadowRoot);
      visit(child);
    }
  };
  if ('shadowRoot' in within && within.shadowRoot) visit(within.shadowRoot);
  visit(within);
  return found;
}

export function find<T extends Element = HTMLElement>(
  within: Element | ShadowRoot | Document,
  selector: string,
): T | undefined {
  return findAll<T>(within, selector)[0];
}

/** The visible text, with white space collapsed. */
export function text(within: Element): string {
  const pieces: string[] = [];
  const visit = (node: Node): void => {
    // `instanceof` would be false for nodes in a frame, because every frame has separate classes such as `Element`.
    if (node.nodeType === Node.TEXT_NODE) pieces.push(node.nodeValue ?? '');
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    const element = node as Element;
    if (element.matches('style, script, wbr, .visually-hidden, .tile, [hidden]')) return;
    const space = element.localName === 'span' ? '' : ' ';
    pieces.push(space);
    for (const child of Array.from((element.shadowRoot ?? element).childNodes)) visit(child);
    pieces.push(space);
  };
  visit(within);
  return pieces.join('').replace(/\s+/g, ' ').trim();
}

/** The real clock, also while a test uses `FakeTime`. */
const now = performance.now.bind(performance);
const setRealTimeout = setTimeout.bind(globalThis);

/** A shopper would not notice a shorter delay. To wait for a frame would make Chromium draw the page each time. */
const CHECK_INTERVAL_MS = 10;

/**
 * Calls `check` again and again until its result is truthy, for at most a minute.
 * @param what - Names the expected thing in the error message.
 */
export async function until<T>(what: string, check: () => T | Promise<T>): Promise<NonNullable<T>> {
  const end = now() + 60_000;
  for (;;) {
    const result = await check();
    if (result) return result as NonNullable<T>;
    if (now() > end) throw new Error(`Timed out: ${what}`);
    await new Promise((resolve) => setRealTimeout(resolve, CHECK_INTERVAL_MS));
  }
}

/** Like `until`, but lets fake time pass whenever a timer is pending. */
export function untilElapsed<T>(time: FakeTime, what: string, check: () => T | Promise<T>): Promise<NonNullable<T>> {
  return until(what, () => {
    if (time.delays.length > 0) time.elapse();
    return check();
  });
}

/** Waits until the visible text contains `expected`. */
export async function untilText(within: Element, expected: string | RegExp): Promise<void> {
  try {
    await until(`“${expected}”`, () =>
      typeof expected === 'string' ? text(within).includes(expected) : expected.test(text(within)),
    );
  } catch (error) {
    throw new Error(`${(error as Error).message} in: ${text(within)}`, {cause: error});
  }
}

/** Puts each text node into elements, also in shadow roots, as browsers do when they translate a page. */
export function translate(element: Element): void {
  for (const root of [element, ...findAll(element, '*')].flatMap(({shadowRoot}) => shadowRoot ?? [])) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const nodes: Text[] = [];
    while (walker.nextNode()) nodes.push(walker.currentNode as Text);
    for (const node of nodes) {
      if (!node.data.trim() || node.parentElement?.closest('style, [translate=no]')) continue;
      const font = document.createElement('font');
      font.append(document.createElement('font'));
      node.replaceWith(font);
      font.firstElementChild?.append(node);
      font.replaceWith(font.cloneNode(true));
    }
  }
}

/** Collects all events of a type from now on. */
export function record<T extends Event>(target: EventTarget, type: string): T[] {
  const events: T[] = [];
  target.addEventListener(type, (event) => events.push(event as T));
  return events;
}

/** The texts in live regions, which a screen reader announces. */
export function announcements(within: Element): string[] {
  return findAll(within, '[role=status], [role=alert]')
    .map((region) => region.textContent?.replace(/\s+/g, ' ').trim() ?? '')
    .filter(Boolean);
}

/** The focused element, even if it is inside a shadow root. */
export function focused(within: Document = document): Element | null {
  let active = within.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active;
}
