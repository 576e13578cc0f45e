import type {Locale} from './language.ts';

/** What the browser formats numbers and times by. */
export const INTL: Record<Locale, string> = {tr: 'tr-TR', en: 'en-GB'};
