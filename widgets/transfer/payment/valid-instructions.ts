/** Validates the saved instructions. Any script of the page can write to the browser's storage. */

import type {Bank, OrderCode} from '../../../worker/contract/browser/answers.ts';
import type {Seller} from '../../../worker/contract/fields.ts';
import {shape, type Check} from '../../core/worker-client.ts';
import {isBank, isOrderCode} from '../purchase/order-client.ts';
import type {SavedInstructions} from '../purchase/saved-order.ts';

/** The length of the longest text or URL that the page shows from the storage. */
const MAX_LENGTH = 2000;

const isShort: Check = (value) => typeof value === 'string' && value.length <= MAX_LENGTH;

/** Only https URLs are valid. A link with another kind of URL could run a script, such as `javascript:alert(1)`. */
const isAddress: Check = (value) => isShort(value) && /^https:\/\/[^\s/]/.test(String(value));

const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

const isSeller = shape<Seller>({
  name: isShort,
  support_url: optional(isAddress),
  support_email: optional(isShort),
  support_phone: optional(isShort),
});

const isSavedBank = shape<Bank>({
  code: isShort,
  name: isShort,
  account_holder: isShort,
  iban: isShort,
  app_url: optional(isAddress),
});

const isSavedCode = shape<OrderCode>({order_code: isShort, order: optional(isShort)});

const validBank = (bank: Bank | null | undefined) => (isBank(bank) && isSavedBank(bank) ? bank : undefined);

/** Returns the instructions without an invalid account or seller; undefined if they have no valid order code. */
export function validInstructions(saved: SavedInstructions): SavedInstructions | undefined {
  const {orderCode, account} = saved;
  if (!isOrderCode(orderCode) || !isSavedCode(orderCode)) return undefined;
  const {seller, ...rest} = orderCode;
  const known = {...rest, account: rest.account && validBank(rest.account), ...(isSeller(seller) && {seller})};
  return {...saved, orderCode: known, account: validBank(account)};
}
