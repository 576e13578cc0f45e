/** In place of Turnstile's own script, which no test can fetch: a button by which somebody shows to be human, or nothing at all. */

const SCRIPT = 'https://challenges.cloudflare.com/';
/** What the button gives: another one each time. */
let tokens = 0;

interface Terms {
  callback(token: string): void;
}

const turnstile = {
  render(place: HTMLElement, {callback}: Terms): string {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'I am human';
    button.addEventListener('click', () => callback(`human-${(tokens += 1)}`));
    place.append(button);
    return 'check';
  },
  reset(): void {},
  remove(): void {},
};

/** From now on, until it is called again. */
export function installFakeTurnstile({comes = true} = {}): void {
  Object.assign(globalThis, {turnstile});
  const append = (...nodes: (Node | string)[]): void => {
    for (const node of nodes) {
      if (node instanceof HTMLScriptElement && node.src.startsWith(SCRIPT))
        queueMicrotask(() => node.dispatchEvent(new Event(comes ? 'load' : 'error')));
      else HTMLHeadElement.prototype.append.call(document.head, node);
    }
  };
  Object.defineProperty(document.head, 'append', {value: append, configurable: true});
}
