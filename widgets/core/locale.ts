import type {ReactiveController, ReactiveControllerHost} from 'lit';

export type Locale = 'tr' | 'en';

/**
 * The language in a `lang` attribute, also as PHP writes it: `tr-TR`, `tr_TR`, `TR`, `tur`. Every language other than
 * Turkish becomes English. Undefined if the text names no language.
 */
function localeIn(text: string): Locale | undefined {
  if (/^\s*tu?r(?![a-z])/i.test(text)) return 'tr';
  return /^\s*[a-z]{2,3}(?![a-z])/i.test(text) ? 'en' : undefined;
}

/**
 * The language of the nearest `lang` attribute that names one, also outside the shadow root; without such an attribute,
 * the browser's language, or Turkish if the browser names none.
 */
export function localeOf(element: Element): Locale {
  const around = element.parentElement ?? (element.getRootNode() as Partial<ShadowRoot>).host;
  return (
    localeIn(element.getAttribute('lang') ?? '') ??
    (around instanceof Element ? localeOf(around) : (localeIn(navigator.language) ?? 'tr'))
  );
}

/** Reads the language of the page around its host, and renders the host again when a `lang` attribute changes. */
export class LocaleController implements ReactiveController {
  #observer: MutationObserver | undefined;

  locale: Locale = 'en';
  // This is not a parameter property: the benchmarks load this file in Node, which only removes types and so cannot run
  // parameter properties.
  readonly host: ReactiveControllerHost & Element;

  constructor(host: ReactiveControllerHost & Element) {
    this.host = host;
    host.addController(this);
  }

  hostConnected(): void {
    // A `willUpdate` of the host runs before `hostUpdate`.
    this.hostUpdate();
    this.#observer = new MutationObserver(() => this.host.requestUpdate());
    const attributeFilter = ['lang'];
    this.#observer.observe(document, {subtree: true, attributeFilter});
    // If the host is inside another component's shadow root, observing the document does not cover the host.
    this.#observer.observe(this.host, {attributeFilter});
  }

  hostUpdate(): void {
    this.locale = localeOf(this.host);
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
  }
}
