/**
 * The human check (Turnstile). Its script finds nothing inside shadow roots, so the check is a child of the page's own
 * element, in the slot `human-check`.
 */

import type {HumanCheck as HumanCheckParameters} from '../../worker/contract/browser/answers.ts';
import type {Locale} from '../core/locale.ts';
import {humanCheckMessages} from '../locales/human-check.ts';

const SCRIPT_URL = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit';

interface Turnstile {
  render(place: HTMLElement, options: object): string;
  reset(id: string): void;
  remove(id: string): void;
}

interface ScriptUrlPolicy {
  createScriptURL(url: string): string;
}

interface TrustedScriptUrls {
  createPolicy(name: string, rules: ScriptUrlPolicy): ScriptUrlPolicy;
}

/** What is on the page, not in this module: files of several kinds have a copy of it. */
interface Shared {
  /** Address of the check's script, as a `TrustedScriptURL` where the browser knows Trusted Types. */
  url?: string;
  loading?: Promise<Turnstile> | undefined;
}

const KEY = Symbol.for('vezne human check');
const page = globalThis as {[KEY]?: Shared; trustedTypes?: TrustedScriptUrls; turnstile?: Turnstile};
const shared = (page[KEY] ??= {});

/** The policy `vezne-human` gives this one address, whatever it is given, and nothing leads to it. */
function scriptUrl(): string {
  return (
    page.trustedTypes?.createPolicy('vezne-human', {createScriptURL: () => SCRIPT_URL}).createScriptURL('') ??
    SCRIPT_URL
  );
}

/** Fetches the check's own script, once a page. */
function loadTurnstile(): Promise<Turnstile> {
  shared.loading ??= new Promise<Turnstile>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = shared.url ??= scriptUrl();
    script.async = true;
    script.addEventListener('load', () => resolve(page.turnstile as Turnstile));
    script.addEventListener('error', () => reject(new Error('The human check did not load.')));
    document.head.append(script);
  }).catch((error: unknown) => {
    shared.loading = undefined;
    throw error;
  });
  return shared.loading;
}

export class HumanCheck {
  #turnstile: Turnstile | undefined;
  #id = '';
  readonly #place = document.createElement('div');

  /** Proof that somebody is there; good for one request. */
  token = '';

  /**
   * @param host the element that needs the check.
   * @param onPassed receives the token. Without it the host takes the token with `takeToken()`.
   */
  constructor(
    readonly host: HTMLElement,
    readonly onPassed?: (token: string) => void,
  ) {
    this.#place.slot = 'human-check';
  }

  /** @returns Why it cannot be shown, in words. */
  async show({sitekey, action}: HumanCheckParameters, language: Locale): Promise<string | undefined> {
    if (this.#id) return undefined;
    pageElement(this.host).append(this.#place);
    try {
      this.#turnstile = await loadTurnstile();
    } catch {
      return humanCheckMessages[language];
    }
    if (!this.#place.isConnected) return undefined;
    this.#id = this.#turnstile.render(this.#place, {
      sitekey,
      action,
      language,
      size: 'flexible',
      callback: (token: string) => {
        this.token = token;
        this.onPassed?.(token);
      },
      'expired-callback': () => (this.token = ''),
    });
    return undefined;
  }

  /** Takes the token; the next request needs another. */
  takeToken(): string {
    const {token} = this;
    this.token = '';
    if (this.#id) this.#turnstile?.reset(this.#id);
    return token;
  }

  remove(): void {
    if (this.#id) this.#turnstile?.remove(this.#id);
    this.#id = '';
    this.#place.remove();
  }
}

/** The element of the page that contains this one, through any number of Vezne elements. */
function pageElement(element: HTMLElement): HTMLElement {
  const root = element.getRootNode();
  const host = root instanceof ShadowRoot ? root.host : undefined;
  return host instanceof HTMLElement && host.localName.startsWith('vezne-') ? pageElement(host) : element;
}
