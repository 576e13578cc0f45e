import type {Locale} from './locale.ts';

/** The locales for `Intl`. */
export const INTL_LOCALES: Record<Locale, string> = {tr: 'tr-TR', en: 'en-GB'};
