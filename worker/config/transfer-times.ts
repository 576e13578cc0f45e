/**
 * How long a transfer from the same bank or from another bank takes, by time of day and weekday in Turkey. The merchant
 * sets the rules; a page only shows the sentence that applies now.
 */

import * as z from 'zod/mini';
import type {BankList} from '../contract/browser/answers.ts';
import {Localized} from '../contract/fields.ts';
import {existingDay} from '../lib/formats.ts';
import {lazily} from '../lib/lazily.ts';
import {formatPlatformDay, formatPlatformTime} from '../lib/time.ts';

const SUNDAY = 7;

const TimeOfDay = lazily(() => z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/)));

/** A sentence, and the days and hours at which it applies. Without days and hours it always applies. */
const Rule = () =>
  z.strictObject({
    from: z.enum(['same_bank', 'other_bank']),
    /** 1 is Monday, 7 Sunday. */
    days: z.optional(z.array(z.int().check(z.minimum(1), z.maximum(SUNDAY))).check(z.minLength(1))),
    start: z._default(TimeOfDay(), '00:00'),
    /** Exclusive; `24:00` is the end of the day. */
    end: z._default(z.union([TimeOfDay(), z.literal('24:00')]), '24:00'),
    text: Localized(),
  });

/** The variable `TRANSFER_TIMES`. The first matching rule applies. A holiday counts as a Sunday. */
export const TransferTimes = () =>
  z.strictObject({holidays: z._default(z.array(existingDay()), []), rules: z.array(Rule()).check(z.minLength(1))});
export type TransferTimes = z.infer<ReturnType<typeof TransferTimes>>;

const ALWAYS = {start: '00:00', end: '24:00'};

/**
 * The rules of most Turkish banks: transfers by FAST and within the same bank arrive at any time. Transfers by EFT
 * arrive on workdays from 09:30 to 17:00.
 */
export const DEFAULT_TRANSFER_TIMES: TransferTimes = {
  holidays: [],
  rules: [
    {
      ...ALWAYS,
      from: 'same_bank',
      text: {
        tr: 'Aynı bankadan ya da FAST ile gönderdiğiniz para hemen ulaşır.',
        en: 'Transfers from the same bank or by FAST arrive instantly.',
      },
    },
    {
      from: 'other_bank',
      days: [1, 2, 3, 4, 5],
      start: '09:30',
      end: '17:00',
      text: {
        tr: 'EFT ile gönderdiğiniz para bugün ulaşır.',
        en: 'EFT transfers arrive today.',
      },
    },
    {
      ...ALWAYS,
      from: 'other_bank',
      text: {
        tr: 'EFT ile gönderdiğiniz para en geç bir sonraki iş günü ulaşır.',
        en: 'EFT transfers arrive by the next working day.',
      },
    },
  ],
};

/** The sentences that apply now; a sentence is null if no rule matches. @param now - Epoch milliseconds. */
export function describeTransferTimes({holidays, rules}: TransferTimes, now: number): BankList['arrival'] {
  const date = formatPlatformDay(now);
  const dayOfWeek = holidays.includes(date) ? SUNDAY : weekday(date);
  const time = formatPlatformTime(now).slice(11, 16);
  const sentenceFor = (from: 'same_bank' | 'other_bank') =>
    rules.find(
      (rule) => rule.from === from && (rule.days?.includes(dayOfWeek) ?? true) && rule.start <= time && time < rule.end,
    )?.text ?? null;
  return {same_bank: sentenceFor('same_bank'), other_bank: sentenceFor('other_bank')};
}

/** 1 is Monday, as in ISO 8601. */
function weekday(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay() || SUNDAY;
}
