import {INTL_LOCALES, type Locale} from './locale.ts';

type DateStyle = 'medium' | 'full';

const formats: Record<string, Intl.DateTimeFormat> = {};

/** The format of `formatTime`. */
export function timeFormat(locale: Locale, dateStyle: DateStyle): Intl.DateTimeFormat {
  return (formats[locale + dateStyle] ??= new Intl.DateTimeFormat(INTL_LOCALES[locale], {
    dateStyle,
    timeStyle: 'short',
    timeZone: 'Europe/Istanbul',
  }));
}

/** `2026-11-21T15:42:00+03:00` → `21 Kas 2026 15:42`, in Turkish time. The style `full` adds the day of the week. */
export function formatTime(at: string, locale: Locale, dateStyle: DateStyle = 'medium'): string {
  return timeFormat(locale, dateStyle).format(new Date(at));
}
