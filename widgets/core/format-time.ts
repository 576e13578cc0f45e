import {INTL_LOCALES, type Locale} from './locale.ts';

/** `2026-11-21T15:42:00+03:00` → `21 Kas 2026 15:42`, in Turkish time. The style `full` adds the day of the week. */
export function formatTime(at: string, locale: Locale, dateStyle: 'medium' | 'full' = 'medium'): string {
  return new Intl.DateTimeFormat(INTL_LOCALES[locale], {
    dateStyle,
    timeStyle: 'short',
    timeZone: 'Europe/Istanbul',
  }).format(new Date(at));
}
