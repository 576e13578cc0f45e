/** Calculates when a subscription is charged next, and formats this day. */

import {INTL_LOCALES} from '../core/intl-locales.ts';
import type {Locale} from '../core/locale.ts';

/** How many days, months and years a period has, by the platform's name of the period. */
const PERIODS: Partial<Record<string, readonly [days: number, months: number, years: number]>> = {
  daily: [1, 0, 0],
  weekly: [7, 0, 0],
  monthly: [0, 1, 0],
  yearly: [0, 0, 1],
};

/** Turkey's offset from UTC. */
const OFFSET_MS = 10_800_000;

/**
 * Returns the day of the first charge after a subscription has started: one period later in Turkey, or the free days
 * later. In a shorter month, the 31st becomes the last day. Returns undefined if the length of the period is unknown, or
 * if that day has passed.
 */
export function nextCharge(startedAt: string, period: string, trialDays = 0): Date | undefined {
  const length = trialDays
    ? ([trialDays, 0, 0] as const)
    : Object.hasOwn(PERIODS, period)
      ? PERIODS[period]
      : undefined;
  if (!length) return undefined;
  const [days, months, years] = length;
  // Until the end of the calculation, the UTC fields of this date are the date in Turkey.
  const next = new Date(Date.parse(startedAt) + OFFSET_MS);
  const day = next.getUTCDate() + days;
  next.setUTCFullYear(next.getUTCFullYear() + years, next.getUTCMonth() + months, day);
  if (days === 0 && next.getUTCDate() !== day) next.setUTCDate(0);
  next.setTime(next.getTime() - OFFSET_MS);
  return next.getTime() > Date.now() ? next : undefined;
}

export function isFuture(at: string | null, now = Date.now()): boolean {
  return at !== null && Date.parse(at) > now;
}

/** `29 Kas 2026`, in Turkish time. */
export function formatDay(at: Date | string, locale: Locale): string {
  return new Intl.DateTimeFormat(INTL_LOCALES[locale], {dateStyle: 'medium', timeZone: 'Europe/Istanbul'}).format(
    new Date(at),
  );
}
