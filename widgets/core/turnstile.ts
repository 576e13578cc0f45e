/**
 * The human check (Turnstile). Its script cannot work inside a shadow root. The check is therefore rendered outside the
 * shadow roots: as a child of the outermost Vezne element, in that element's slot `human-check`.
 */

import type {HumanCheck} from '../../worker/contract/browser/answers.ts';
import type {Locale} from '../core/locale.ts';
import {humanCheckMessages, type HumanCheckFailure} from '../locales/human-check.ts';

const SCRIPT_URL = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit';

/**
 * The check is in an iframe, which our styles do not reach. Its container therefore rounds the corners and draws the
 * edge.
 */
const LOOK =
  'border-radius:calc(var(--_radius) - 4px);outline:1px solid var(--_edge);outline-offset:-1px;overflow:hidden';

interface Turnstile {
  render(container: HTMLElement, options: object): string;
  reset(id: string): void;
  remove(id: string): void;
}

interface ScriptUrlPolicy {
  createScriptURL(url: string): string;
}

interface TrustedScriptUrls {
  createPolicy(name: string, rules: ScriptUrlPolicy): ScriptUrlPolicy;
}

/**
 * State that the whole page shares. Variables of this module could not hold it, because several built files contain a
 * copy of the module.
 */
interface Shared {
  /** The URL of the check's script; a `TrustedScriptURL` if the browser supports Trusted Types. */
  url?: string;
  loading?: Promise<Turnstile> | undefined;
}

const KEY = Symbol.for('vezne human check');
const page = globalThis as {[KEY]?: Shared; trustedTypes?: TrustedScriptUrls; turnstile?: Turnstile};
const shared = (page[KEY] ??= {});

/**
 * The URL of the check's script, as a `TrustedScriptURL` if the browser supports it. The policy `vezne-human` returns
 * this URL for any input, and no other code can use the policy.
 */
function scriptUrl(): string {
  return (
    page.trustedTypes?.createPolicy('vezne-human', {createScriptURL: () => SCRIPT_URL}).createScriptURL('') ??
    SCRIPT_URL
  );
}

/** Loads the script of the check once per page. */
function loadTurnstile(): Promise<Turnstile> {
  shared.loading ??= new Promise<Turnstile>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = shared.url ??= scriptUrl();
    script.async = true;
    script.addEventListener('load', () => resolve(page.turnstile as Turnstile));
    script.addEventListener('error', reject);
    document.head.append(script);
  }).catch((error: unknown) => {
    shared.loading = undefined;
    throw error;
  });
  return shared.loading;
}

export class TurnstileCheck {
  #turnstile: Turnstile | undefined;
  #id = '';
  readonly #container = document.createElement('div');

  /** The token that proves that the shopper is human. It is valid for one request. */
  token = '';

  /**
   * @param host - The element that needs the check.
   * @param onPassed - Receives the token. A host without `onPassed` calls `takeToken()`.
   * @param onFailed - Called if the check has failed. A host without `onFailed` leaves the retry to Turnstile.
   */
  constructor(
    readonly host: HTMLElement,
    readonly onPassed?: (token: string) => void,
    readonly onFailed?: () => void,
  ) {
    this.#container.slot = 'human-check';
    this.#container.style.cssText = LOOK;
  }

  /** Whether the focus is in the check. */
  get isFocused(): boolean {
    return this.#container.matches(':focus-within');
  }

  /** Shows the check. @returns A text for the shopper, in all languages, if the check cannot be shown. */
  async show({sitekey, action}: HumanCheck, language: Locale): Promise<HumanCheckFailure | undefined> {
    if (this.#id) return undefined;
    pageElement(this.host).append(this.#container);
    try {
      this.#turnstile = await loadTurnstile();
    } catch {
      this.#container.remove();
      return humanCheckMessages;
    }
    if (!this.#container.isConnected) return undefined;
    this.#id = this.#turnstile.render(this.#container, {
      sitekey,
      action,
      language,
      theme: themeOf(this.#container),
      size: 'flexible',
      callback: (token: string) => {
        this.token = token;
        this.onPassed?.(token);
      },
      'expired-callback': () => (this.token = ''),
      // Without a handler, Turnstile throws an error.
      'error-callback': () => {
        this.onFailed?.();
        return true;
      },
    });
    return undefined;
  }

  /** Returns the token and resets the check, because the next request needs a new token. */
  takeToken(): string {
    const {token} = this;
    this.token = '';
    if (this.#id) this.#turnstile?.reset(this.#id);
    return token;
  }

  remove(): void {
    if (this.#id) this.#turnstile?.remove(this.#id);
    this.#id = '';
    this.#container.remove();
  }
}

/** The colors around the check. By default, Turnstile takes those of the device, also on a page that has only light ones. */
function themeOf(container: HTMLElement): 'light' | 'dark' | 'auto' {
  const {colorScheme} = getComputedStyle(container);
  if (!colorScheme.includes('dark')) return 'light';
  return colorScheme.includes('light') ? 'auto' : 'dark';
}

/** The outermost Vezne element that contains this element, or the element itself. */
function pageElement(element: HTMLElement): HTMLElement {
  const root = element.getRootNode();
  const host = root instanceof ShadowRoot ? root.host : undefined;
  return host instanceof HTMLElement && host.localName.startsWith('vezne-') ? pageElement(host) : element;
}
