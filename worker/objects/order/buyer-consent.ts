/** Keeps the receipt of what a buyer was shown and ticked, before the order stores the buyer. */

import type {Context} from '../../context.ts';
import {describeError, log} from '../../lib/log.ts';
import {formatMonth} from '../../lib/time.ts';
import {textsOfForm} from '../archive/buyer-receipts.ts';
import type {BuyerRequest, FilledForm, KnownBuyer} from './buyer.ts';

/** What the receipt says of the order. */
interface ReceiptTerms {
  readonly service: string;
  readonly order: string;
  readonly offer?: string | undefined;
}

/**
 * The buyer as the order stores it, after the receipt is stored. If the process dies in between, the receipt stays of an
 * order that nobody made, and the next request of the order replaces it. @returns null if the receipt cannot be stored.
 */
export async function withReceipt(
  {asked: {form, keepDays}, person}: FilledForm,
  {origin, network}: BuyerRequest,
  {service, order, offer = undefined}: ReceiptTerms,
  {objects}: Pick<Context, 'objects'>,
): Promise<KnownBuyer | null> {
  const at = Date.now();
  const {language = null, ...kept} = person;
  const texts = textsOfForm(form);
  const ticked = Object.fromEntries(texts.ticks.map(({id}) => [id, person.own?.[id] === true]));
  const marketing = form.marketing ? person.marketing === true : null;
  const receipt = {service, order, offer: offer ?? null, origin, language, ticked, marketing, network, texts, at};
  try {
    await objects.archivedConsents(formatMonth(at)).addBuyerReceipt(receipt);
    return {person: kept, at, ...(keepDays !== undefined && {keepDays})};
  } catch (error) {
    log('error', 'buyer_receipt_failed', {service, order, error: describeError(error)});
    return null;
  }
}
