/**
 * What the Worker's refusals mean to a shopper: what to read, and what to do next. Each kind of request has one table,
 * in a file that loads after the first refusal.
 */

import type {PageErrorCode} from '../../worker/contract/codes.ts';
import type {Locale} from '../core/locale.ts';

export interface RefusalText {
  readonly title: string;
  /**
   * If it is missing, the notice says whether the element or the shopper retries. `{code}` is replaced by the error
   * code, which the shopper gives to the seller.
   */
  readonly text?: string;
  /** The text in place of `text` if the notice has a button that starts a new payment. */
  readonly startOverText?: string;
}

/**
 * The texts of a refusal, and what the shopper can do next: retry, start a new payment (or, where the page may start
 * none, reload it), reload the page, or nothing.
 */
export interface Refusal {
  readonly messages: Record<Locale, RefusalText>;
  readonly nextStep: 'retry' | 'start-over' | 'reload' | 'none';
  /** Whether the shopper may need the seller. The element then shows the seller's contacts. */
  readonly asksSeller?: boolean;
  /** Whether only the seller can help, so that to ask the seller is the next step. */
  readonly onlySeller?: boolean;
  /** Whether the text says what happened to the money, so that the notice does not add that nothing is lost. */
  readonly isComplete?: boolean;
  /** The look of the notice: `calm` if nothing has failed, `warn` if the outcome is unknown. */
  readonly tone?: 'calm' | 'calm good' | 'warn';
}

/** A refusal, which may name the time until the Worker accepts the next request. */
type Row = Refusal | ((retryAfterMs: number) => Refusal);

export type RefusalRows = {readonly [code in PageErrorCode]?: Row};

/** `Own`: the codes that must have a row. `other` is for all codes without a row, and for those of a newer Worker. */
export type RefusalTable<Own extends PageErrorCode = never> = RefusalRows & {
  readonly [code in Own | 'other']: Row;
};

/** Reads the table of a kind of request. The code may be unknown to this page, if the Worker is newer than the page. */
export type RefusalOf = (code: PageErrorCode, retryAfterMs: number) => Refusal;

/** The refusal for an error code of the Worker. */
export function refusalIn(table: RefusalTable, code: PageErrorCode, retryAfterMs?: number): Refusal;
export function refusalIn(rows: RefusalRows, code: PageErrorCode, retryAfterMs?: number): Refusal | undefined;
export function refusalIn(
  rows: RefusalRows & Partial<RefusalTable>,
  code: PageErrorCode,
  retryAfterMs = 0,
): Refusal | undefined {
  const row = rows[code] ?? rows.other;
  return typeof row === 'function' ? row(retryAfterMs) : row;
}

/** What follows the wait if the element repeats the request. */
const REPEATS = {
  tr: (time: string) => `${time} yeniden deneyeceğiz.`,
  en: (time: string) => `We’ll try again ${time}.`,
};

/** What follows the wait if the shopper repeats the request. */
export const CONTINUES = {
  tr: (time: string) => `${time} devam edebilirsiniz.`,
  en: (time: string) => `You can continue ${time}.`,
};

/**
 * The refusal after too many requests. An element that retries by itself has no button, because it waits as told.
 * @param next - What follows the wait.
 */
export const limited =
  (next: Record<Locale, (time: string) => string> = REPEATS) =>
  (retryAfterMs: number): Refusal => {
    const {tr, en} = inTime(retryAfterMs);
    return {
      nextStep: 'none',
      tone: 'calm',
      messages: {
        tr: {title: 'Lütfen biraz bekleyin', text: `Çok fazla istek geldi. ${next.tr(tr)}`},
        en: {title: 'Please wait a moment', text: `Too many requests. ${next.en(en)}`},
      },
    };
  };

/** When a wait is over: `30 saniye sonra`. Without a time, soon. */
export function inTime(ms: number): Record<Locale, string> {
  if (ms <= 0) return {tr: 'Biraz sonra', en: 'in a moment'};
  const seconds = Math.ceil(ms / 1000);
  if (seconds > 90) return {tr: `${Math.ceil(seconds / 60)} dakika sonra`, en: `in ${Math.ceil(seconds / 60)} minutes`};
  return {tr: `${seconds} saniye sonra`, en: seconds > 1 ? `in ${seconds} seconds` : 'in a second'};
}
