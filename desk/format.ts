/** Writes times, durations and amounts. All times are those of Turkey. */

import {formatMoney} from '../widgets/core/format-money.ts';
import {INTL_LOCALES} from '../widgets/core/intl-locales.ts';
import type {Locale} from '../widgets/core/locale.ts';

const ZONE = {timeZone: 'Europe/Istanbul'} as const;

/** `30 Kas 2026 09:41:13` */
export function formatMoment(at: string, locale: Locale): string {
  return new Intl.DateTimeFormat(INTL_LOCALES[locale], {...ZONE, dateStyle: 'medium', timeStyle: 'medium'}).format(
    new Date(at),
  );
}

/** `2026-11-30` → `30 Kasım 2026 Pazartesi` */
export function formatDay(day: string, locale: Locale, dateStyle: 'full' | 'medium' = 'full'): string {
  return new Intl.DateTimeFormat(INTL_LOCALES[locale], {...ZONE, dateStyle}).format(new Date(`${day}T12:00:00+03:00`));
}

export function formatSum(amount: string | null, locale: Locale, currency = 'TRY'): string {
  if (amount === null) return '–';
  return amount.startsWith('-')
    ? `−${formatMoney(amount.slice(1), currency, locale)}`
    : formatMoney(amount, currency, locale);
}

/** The sum of decimal texts with two places, exact. */
export function sumOf(amounts: readonly string[]): string {
  const kurus = amounts.reduce((sum, amount) => sum + Math.round(Number(amount) * 100), 0);
  return (kurus / 100).toFixed(2);
}

export function formatCount(count: number, locale: Locale): string {
  return new Intl.NumberFormat(INTL_LOCALES[locale]).format(count);
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** The time between two moments in its largest unit: `3 gün`, `4 hours`. */
export function formatSpan(ms: number, locale: Locale): string {
  const [unit, length] = UNITS.find(([, each]) => ms >= each) ?? (['minute', 60_000] as const);
  const value = Math.max(0, Math.floor(ms / length));
  return new Intl.NumberFormat(INTL_LOCALES[locale], {style: 'unit', unit, unitDisplay: 'long'}).format(value);
}

/** The day of a moment in Turkey: `2026-11-30`. */
export function dayOf(at: Date): string {
  return new Date(at.getTime() + 3 * 3_600_000).toISOString().slice(0, 10);
}

/** The day that is some days later, or earlier. */
export function shiftDay(day: string, days: number): string {
  const at = new Date(`${day}T12:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}
