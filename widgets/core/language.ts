export type Locale = 'tr' | 'en';

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
