import type {ReactiveController, ReactiveControllerHost} from 'lit';

export type Locale = 'tr' | 'en';

/** The language said nearest to an element, also outside of the shadow it is in; English where it is none of ours. */
export function localeOf(element: Element): Locale {
  const said = element.closest('[lang]');
  if (said) return said.matches(':lang(tr)') ? 'tr' : 'en';
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? localeOf(root.host) : 'en';
}

/** Tells its host the language around it, and follows that language when it changes. */
export class LocaleController implements ReactiveController {
  #observer: MutationObserver | undefined;

  locale: Locale = 'en';
  // No parameter property: Node, which strips types only, loads this file for benches.
  readonly host: ReactiveControllerHost & Element;

  constructor(host: ReactiveControllerHost & Element) {
    this.host = host;
    host.addController(this);
  }

  hostConnected(): void {
    this.#observer = new MutationObserver(() => this.host.requestUpdate());
    const attributeFilter = ['lang'];
    this.#observer.observe(document, {subtree: true, attributeFilter});
    // Inside another component it is not in the document's tree.
    this.#observer.observe(this.host, {attributeFilter});
  }

  hostUpdate(): void {
    this.locale = localeOf(this.host);
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
  }
}

/** What the browser formats numbers and times by. */
export const INTL_LOCALES: Record<Locale, string> = {tr: 'tr-TR', en: 'en-GB'};
