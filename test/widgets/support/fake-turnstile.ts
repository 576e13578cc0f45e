/**
 * A fake of Turnstile's script, which tests cannot fetch. It renders a button; a click on it passes the check, and an
 * `error` event fails the check.
 */

const SCRIPT = 'https://challenges.cloudflare.com/';
/** Makes the button as wide and high as the real check, so that screenshots show the same layout. */
const LOOK =
  'inline-size: 100%; block-size: 65px; padding-inline: 16px; border: 1px solid #999; background: light-dark(#fafafa, #222); color: light-dark(#222, #eee); font: 14px sans-serif; text-align: start';
/** How many tokens were issued. Each token is different. */
let tokenCount = 0;

interface RenderOptions {
  callback(token: string): void;
  'error-callback'(): boolean;
}

const turnstile = {
  render(container: HTMLElement, {callback, 'error-callback': onError}: RenderOptions): string {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'I am human';
    button.style.cssText = LOOK;
    button.addEventListener('click', () => callback(`human-${(tokenCount += 1)}`));
    button.addEventListener('error', onError);
    container.append(button);
    return 'check';
  },
  reset(): void {},
  remove(): void {},
};

/**
 * Installs the fake on a page that has not loaded the script yet. It stays installed until the next call.
 * @param options.loads - Whether the script loads.
 */
export function installFakeTurnstile({loads = true} = {}): void {
  const shared = (Reflect.get(globalThis, Symbol.for('vezne human check')) ?? {}) as object;
  for (const name of ['url', 'loading']) Reflect.deleteProperty(shared, name);
  Object.assign(globalThis, {turnstile});
  const append = (...nodes: (Node | string)[]): void => {
    for (const node of nodes) {
      if (node instanceof HTMLScriptElement && node.src.startsWith(SCRIPT))
        queueMicrotask(() => node.dispatchEvent(new Event(loads ? 'load' : 'error')));
      else HTMLHeadElement.prototype.append.call(document.head, node);
    }
  };
  Object.defineProperty(document.head, 'append', {value: append, configurable: true});
}
