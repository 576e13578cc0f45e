import type {Messages} from '../locales/tr.ts';

export type Locale = 'tr' | 'en';

const LOADERS: Record<Locale, () => Promise<Messages>> = {
  tr: () => import('../locales/tr.ts').then((module) => module.tr),
  en: () => import('../locales/en.ts').then((module) => module.en),
};

const loaded = new Map<Locale, Messages>();

/** The sentences of a language, if they are here already. */
export function messagesOf(locale: Locale): Messages | undefined {
  return loaded.get(locale);
}

/** Fetches the sentences of a language. */
export async function loadMessages(locale: Locale): Promise<void> {
  loaded.set(locale, await LOADERS[locale]());
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
