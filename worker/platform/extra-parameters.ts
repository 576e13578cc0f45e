/**
 * Parameters on which the platform and a merchant agree in addition to the contract (`docs/spec/orders.md`, section 1),
 * such as the parameters of a marketplace's partial refunds. The configuration lists the names of these parameters.
 */

import * as z from 'zod/mini';

/** A name, which may have brackets, such as `parts[0][amount]`. */
const NAME = /^[A-Za-z]\w{0,63}(\[\w{1,64}\]){0,3}$/;

/** Parameters that every operation has, or that the Worker adds to every call. */
const COMMON_NAMES: ReadonlySet<string> = new Set(['merchant', 'token', 'code', 'order', 'amount', 'extra']);
const SPLIT_NAMES: readonly string[] = ['payout', 'sub_merchant_id', 'fee'];

/** The operations that take agreed parameters, with their further parameters of the contract. */
const OWN_NAMES = {
  orderCodeCreate: [...SPLIT_NAMES, 'user_id'],
  orderCodeDirect: [...SPLIT_NAMES, 'user_id', 'PaymentNotification'],
  orderCodeUpdate: SPLIT_NAMES,
  refundCreate: ['contact'],
} satisfies Readonly<Record<string, readonly string[]>>;
export type ExtendedOperation = keyof typeof OWN_NAMES;
const EXTENDED_OPERATIONS = Object.keys(OWN_NAMES) as ExtendedOperation[];

/** Whether an operation may get an agreed parameter with this name: it does not replace one of the contract. */
export function takesParameter(operation: ExtendedOperation, name: string): boolean {
  const root = name.split('[')[0] ?? '';
  return NAME.test(name) && !COMMON_NAMES.has(root) && !OWN_NAMES[operation].includes(root);
}

/** Whether the operator may list this name in the configuration: one of the operations may get it. */
export function isExtraParameterName(name: string): boolean {
  return EXTENDED_OPERATIONS.some((operation) => takesParameter(operation, name));
}

/** Agreed parameters of an operation, by name. `flattenExtra` puts them beside the parameters of the contract. */
export const extraParametersOf = (operation: ExtendedOperation) =>
  z.optional(
    z.record(z.string().check(z.refine((name) => takesParameter(operation, name))), z.string().check(z.maxLength(255))),
  );

/** Moves the agreed parameters out of `extra`. Use this function with `z.transform`. */
export function flattenExtra<T extends {readonly extra?: Readonly<Record<string, string>> | undefined}>({
  extra,
  ...fields
}: T) {
  return {...extra, ...fields};
}
