/**
 * The variable `BANK_APPS`: for each bank, by its code in the bank list, a link that opens the bank's app on a phone. It
 * is a universal link of the bank, so a phone without the app opens the bank's website instead.
 */

import * as z from 'zod';

export const BankApps = z.record(z.string().min(1).max(64), z.url({protocol: /^https$/}).max(500));
export type BankApps = z.infer<typeof BankApps>;

/** The link of a bank; undefined if the operator configured none. @param code the bank's code */
export function appUrlOf(apps: BankApps, code: string): string | undefined {
  return Object.hasOwn(apps, code) ? apps[code] : undefined;
}
