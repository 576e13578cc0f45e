export type Locale = 'tr' | 'en';

/** The sentences of some elements, one file a language; each is fetched when it is first needed. */
export class Languages<W> {
  readonly #loaded = new Map<Locale, W>();

  constructor(readonly load: Record<Locale, () => Promise<W>>) {}

  /** Sentences that come with the elements: too few for a file a language. */
  static of<W>({tr, en}: Record<Locale, W>): Languages<W> {
    const languages = new Languages<W>({tr: async () => tr, en: async () => en});
    languages.#loaded.set('tr', tr).set('en', en);
    return languages;
  }

  /** The sentences of a language, if they are here already. */
  find(locale: Locale): W | undefined {
    return this.#loaded.get(locale);
  }

  async fetch(locale: Locale): Promise<void> {
    this.#loaded.set(locale, await this.load[locale]());
  }
}

/** The language said nearest to an element, also outside of the shadow it is in; English where it is none of ours. */
export function languageOf(element: Element): Locale {
  let place: Element | null = element;
  while (place) {
    const said: Element | null = place.closest('[lang]');
    if (said) return toLocale(said.getAttribute('lang'));
    const root: Node = place.getRootNode();
    place = root instanceof ShadowRoot ? root.host : null;
  }
  return 'en';
}

function toLocale(tag: string | null): Locale {
  return /^tr\b/i.test(tag ?? '') ? 'tr' : 'en';
}
