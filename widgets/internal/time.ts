import {INTL} from './intl.ts';
import type {Locale} from './language.ts';

/** `2026-11-21T15:42:00+03:00` → `21 Kas 2026 15:42`, wherever the device is. */
export function formatTime(at: string, locale: Locale): string {
  return new Intl.DateTimeFormat(INTL[locale], {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Europe/Istanbul',
  }).format(new Date(at));
}
