/** Formats durations for countdowns and sentences. */

import {INTL_LOCALES} from '../core/intl-locales.ts';
import type {Locale} from '../core/locale.ts';

/** Durations above this limit are shown in hours. */
const MAX_MINUTES_DISPLAY_S = 2 * 3_600;
/** Durations above this limit are shown in words, without seconds. */
const MAX_CLOCK_DISPLAY_S = 600;

/** Formats `83000` as `1:23`, and long durations in words: `60 dakika`, `23 saat`. */
export function formatDuration(ms: number, locale: Locale): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds > MAX_CLOCK_DISPLAY_S) return formatInWords(ms, locale);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Formats a duration for a sentence, rounded up to one unit: `45 saniye`, `5 dakika` or `23 saat`. */
export function formatInWords(ms: number, locale: Locale): string {
  const seconds = Math.ceil(ms / 1000);
  const [size, unit] =
    seconds > MAX_MINUTES_DISPLAY_S ? [3_600, 'hour'] : seconds >= 60 ? [60, 'minute'] : [1, 'second'];
  return new Intl.NumberFormat(INTL_LOCALES[locale], {style: 'unit', unit, unitDisplay: 'long'}).format(
    Math.ceil(seconds / size),
  );
}
