/** What a shopper does and sees on a page, through any number of shadows. */

import '../../../widgets/bundles/transfer.ts';

const shown: Element[] = [];

afterEach(() => {
  for (const element of shown.splice(0)) element.remove();
});

/** Puts markup on the page until the test is over and gives its first element. */
export function show<T extends Element = HTMLElement>(markup: string): T {
  const place = document.createElement('div');
  place.innerHTML = markup;
  document.body.append(place);
  shown.push(place);
  return place.firstElementChild as T;
}

/** All elements inside that match, in the order they are read. */
export function findAll<T extends Element = HTMLElement>(
  within: Element | ShadowRoot | Document,
  selector: string,
): T[] {
  const found: T[] = [];
  const look = (node: Element | ShadowRoot | Document): void => {
    for (const child of Array.from(node.children)) {
      if (child.matches(selector)) found.push(child as T);
      if (child.shadowRoot) look(child.shadowRoot);
      look(child);
    }
  };
  if ('shadowRoot' in within && within.shadowRoot) look(within.shadowRoot);
  look(within);
  return found;
}

export function find<T extends Element = HTMLElement>(
  within: Element | ShadowRoot | Document,
  selector: string,
): T | undefined {
  return findAll<T>(within, selector)[0];
}

/** What is written inside, as it is read: without what is hidden, spaces folded. */
export function text(within: Element): string {
  const words: string[] = [];
  const look = (node: Node): void => {
    // By type, not by class: a node of a frame has classes of its own.
    if (node.nodeType === Node.TEXT_NODE) words.push(node.nodeValue ?? '');
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    const element = node as Element;
    if (element.matches('style, script, wbr, .visually-hidden, .tile, [hidden]')) return;
    const space = element.localName === 'span' ? '' : ' ';
    words.push(space);
    for (const child of Array.from((element.shadowRoot ?? element).childNodes)) look(child);
    words.push(space);
  };
  look(within);
  return words.join('').replace(/\s+/g, ' ').trim();
}

/** The browser's own clock, whatever a test makes of time. */
const now = performance.now.bind(performance);

/** Waits, frame by frame, until the answer is neither false nor missing. */
export async function until<T>(what: string, look: () => T | Promise<T>): Promise<NonNullable<T>> {
  const end = now() + 20_000;
  for (;;) {
    const answer = await look();
    if (answer) return answer as NonNullable<T>;
    if (now() > end) throw new Error(`Still not so: ${what}`);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}

/** Waits until these words can be read inside. */
export async function untilText(within: Element, words: string | RegExp): Promise<void> {
  try {
    await until(`“${words}”`, () =>
      typeof words === 'string' ? text(within).includes(words) : words.test(text(within)),
    );
  } catch (error) {
    throw new Error(`${(error as Error).message} in: ${text(within)}`, {cause: error});
  }
}

/** Waits for the button with these words, and presses it. */
export async function press(within: Element, words: string): Promise<void> {
  const found = await until(`a button “${words}”`, () =>
    findAll<HTMLButtonElement>(within, 'button').find((each) => text(each).includes(words)),
  );
  found.click();
}

/** Waits for a field, and types into it. */
export async function typeInto(within: Element, selector: string, words: string): Promise<void> {
  const field = await until(selector, () => find<HTMLInputElement>(within, selector));
  field.value = words;
  field.dispatchEvent(new InputEvent('input', {bubbles: true}));
  field.dispatchEvent(new Event('change', {bubbles: true}));
}

/** Waits for a control, and clicks it. */
export async function clickOn(within: Element, selector: string): Promise<void> {
  (await until(selector, () => find<HTMLElement>(within, selector))).click();
}

/** Waits for a bank, and chooses it. */
export async function chooseBank(within: Element, name: string): Promise<void> {
  const found = await until(`the bank ${name}`, () =>
    findAll(within, 'label.bank').find((each) => text(each).includes(name)),
  );
  found.click();
}

/** All events of a kind an element lets out, from now on. */
export function record<T extends Event>(target: EventTarget, type: string): T[] {
  const events: T[] = [];
  target.addEventListener(type, (event) => events.push(event as T));
  return events;
}

/** What has been said to a screen reader in live regions. */
export function announcements(within: Element): string[] {
  return findAll(within, '[role=status], [role=alert]')
    .map((region) => region.textContent?.replace(/\s+/g, ' ').trim() ?? '')
    .filter(Boolean);
}

/** What has the focus, through any number of shadows. */
export function focused(within: Document = document): Element | null {
  let active = within.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active;
}
