/**
 * Parameters on which the platform and a merchant agree in addition to the contract (`docs/spec/orders.md`, section 1),
 * such as the parameters of a marketplace's partial refunds. The configuration lists the names of these parameters.
 */

import * as z from 'zod/mini';
import {lazily} from '../lib/lazily.ts';

/** A name, which may have brackets, such as `parts[0][amount]`. */
const NAME = /^[A-Za-z]\w{0,63}(\[\w{1,64}\]){0,3}$/;

/** Parameters of the contract. No agreed parameter may replace one of these. */
const OWN_NAMES: ReadonlySet<string> = new Set([
  'merchant',
  'token',
  'code',
  'order',
  'amount',
  'payout',
  'sub_merchant_id',
  'fee',
  'user_id',
  'contact',
  'PaymentNotification',
  'extra',
]);

/** Whether the operator may list this name in the configuration. */
export function isExtraParameterName(name: string): boolean {
  return NAME.test(name) && !OWN_NAMES.has(name.split('[')[0] ?? '');
}

/** Agreed parameters by name. `flattenExtra` puts them beside the parameters of the contract. */
export const ExtraParameters = lazily(() =>
  z.record(z.string().check(z.refine(isExtraParameterName)), z.string().check(z.maxLength(255))),
);

/** Moves the agreed parameters out of `extra`. Use this function with `z.transform`. */
export function flattenExtra<T extends {readonly extra?: Readonly<Record<string, string>> | undefined}>({
  extra,
  ...fields
}: T) {
  return {...extra, ...fields};
}
