import type {ReactiveController, ReactiveControllerHost} from 'lit';

export type Locale = 'tr' | 'en';

/** The language of the nearest `lang` attribute, also outside the shadow root. Any language but Turkish is English. */
export function localeOf(element: Element): Locale {
  const labelled = element.closest('[lang]');
  if (labelled) return labelled.matches(':lang(tr)') ? 'tr' : 'en';
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? localeOf(root.host) : 'en';
}

/** Reads the language around its host, and renders the host again when it changes. */
export class LocaleController implements ReactiveController {
  #observer: MutationObserver | undefined;

  locale: Locale = 'en';
  // Not a parameter property: the benches load this file in Node, which only strips types.
  readonly host: ReactiveControllerHost & Element;

  constructor(host: ReactiveControllerHost & Element) {
    this.host = host;
    host.addController(this);
  }

  hostConnected(): void {
    this.#observer = new MutationObserver(() => this.host.requestUpdate());
    const attributeFilter = ['lang'];
    this.#observer.observe(document, {subtree: true, attributeFilter});
    // Inside another component's shadow root the observer of the document does not see the host.
    this.#observer.observe(this.host, {attributeFilter});
  }

  hostUpdate(): void {
    this.locale = localeOf(this.host);
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
  }
}

/** The locales for `Intl`. */
export const INTL_LOCALES: Record<Locale, string> = {tr: 'tr-TR', en: 'en-GB'};
