/** Validates the saved instructions. Any script of the page can write to the browser's storage. */

import type {Bank, OrderCode} from '../../../worker/contract/browser/answers.ts';
import type {Seller} from '../../../worker/contract/fields.ts';
import {isAmount, shape, type Check} from '../../core/worker-client.ts';
import {isBank, isOrderCode} from '../purchase/order-client.ts';
import type {SavedInstructions} from '../purchase/saved-order.ts';

/** The length of the longest text or URL that the page shows from the storage. */
const MAX_LENGTH = 2000;

const isShort: Check = (value) => typeof value === 'string' && value.length <= MAX_LENGTH;

/** Only https URLs are valid. A link with another kind of URL could run a script, such as `javascript:alert(1)`. */
const isAddress: Check = (value) => isShort(value) && /^https:\/\/[^\s/]/.test(String(value));

/** Removes each optional field whose value is invalid. */
function withValidFields<T extends object>(value: T, checks: {readonly [K in keyof T]?: Check}): T {
  const isValid = ([name, field]: [string, unknown]) => checks[name as keyof T]?.(field) ?? true;
  return Object.fromEntries(Object.entries(value).filter(isValid)) as T;
}

const isNamed = shape<Seller>({name: isShort});

function validSeller(seller: Seller | undefined): Seller | undefined {
  if (!isNamed(seller)) return undefined;
  return withValidFields(seller, {support_url: isAddress, support_email: isShort, support_phone: isShort});
}

const isSavedBank = shape<Bank>({code: isShort, name: isShort, account_holder: isShort, iban: isShort});

const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

const isSavedCode = shape<OrderCode>({order_code: isShort, order: optional(isShort)});

const validBank = (bank: Bank | null | undefined) =>
  isBank(bank) && isSavedBank(bank) ? withValidFields(bank, {app_url: isAddress}) : undefined;

/**
 * Returns the instructions without an invalid account or seller, and without invalid links; undefined if they have no
 * valid order code.
 */
export function validInstructions(saved: SavedInstructions): SavedInstructions | undefined {
  const {orderCode, account} = saved;
  if (!isOrderCode(orderCode) || !isSavedCode(orderCode)) return undefined;
  const {seller: savedSeller, ...rest} = orderCode;
  const seller = validSeller(savedSeller);
  const known = {...rest, account: (rest.account && validBank(rest.account)) ?? null, ...(seller && {seller})};
  return {
    ...withValidFields(saved, {paid: isAmount, remaining: isAmount, sentAt: Number.isFinite as Check}),
    orderCode: known,
    account: validBank(account),
  };
}
