/**
 * The human check (Turnstile). It stands in the page itself, in the slot `human-check` of the element that asks for it:
 * its script finds nothing inside shadows.
 */

import type {HumanCheck as Terms} from '../../worker/contract/browser/answers.ts';
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

let loading: Promise<Turnstile> | undefined;
/** Made once: a page allows a policy's name once. */
let policy: ScriptUrlPolicy | undefined;

/** Fetches the check's own script, once a page. */
function loadTurnstile(): Promise<Turnstile> {
  loading ??= new Promise<Turnstile>((resolve, reject) => {
    const script = document.createElement('script');
    const {trustedTypes} = globalThis as {trustedTypes?: TrustedScriptUrls};
    // A page with Trusted Types allows the policy `vezne-human` to have this check.
    policy ??= trustedTypes?.createPolicy('vezne-human', {createScriptURL: (url) => url});
    script.src = policy?.createScriptURL(SCRIPT_URL) ?? SCRIPT_URL;
    script.async = true;
    script.addEventListener('load', () => resolve((globalThis as unknown as {turnstile: Turnstile}).turnstile));
    script.addEventListener('error', () => reject(new Error('The human check did not load.')));
    document.head.append(script);
  }).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

export class HumanCheck {
  #turnstile: Turnstile | undefined;
  #id = '';
  readonly #place = document.createElement('div');

  /** Proof that somebody is there; good for one request. */
  token = '';

  /** @param onPassed is called with each token. */
  constructor(
    readonly host: HTMLElement,
    readonly onPassed: (token: string) => void = () => {},
  ) {
    this.#place.slot = 'human-check';
  }

  /** @returns Why it cannot be shown, in words. */
  async show({sitekey, action}: Terms, language: Locale): Promise<string | undefined> {
    if (this.#id) return undefined;
    this.host.append(this.#place);
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
        this.onPassed(token);
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
