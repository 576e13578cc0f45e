/** The orders of a buyer, and the receipt of what a buyer was shown and ticked. */

import {ApiError} from '../../http/errors.ts';
import {formatInstant} from '../../lib/time.ts';
import {findBuyerReceipt} from '../../objects/archive/find-in-archive.ts';
import type {KnownBuyer} from '../../objects/order/buyer.ts';
import type {Handlers} from './handler.ts';

/** How many orders a search lists. */
const MAX_FOUND = 100;

export const buyerHandlers: Handlers<'searchOrders' | 'getOrderConsent'> = {
  async searchOrders({service, email, phone}, {objects}) {
    const orders: string[] = await objects.sweep(service).ordersOfBuyer({email, phone}, MAX_FOUND);
    const found = await Promise.all(
      orders.map(async (order) => {
        const buyer = (await objects.order(service, order).buyer()) as KnownBuyer | null;
        return buyer ? [{order, buyer}] : [];
      }),
    );
    const items = found
      .flat()
      .toSorted((a, b) => b.buyer.at - a.buyer.at)
      .map(({order, buyer}) => ({order, buyer: toBuyer(buyer)}));
    return {items, next_cursor: null, total: items.length};
  },

  async getOrderConsent({service, order}, {objects}) {
    const receipt = await findBuyerReceipt(objects, service, order);
    if (!receipt) throw new ApiError('not_found');
    const {texts, ticked, marketing} = receipt;
    return {
      id: receipt.id,
      service,
      order,
      offer: receipt.offer,
      origin: receipt.origin,
      language: receipt.language,
      seller: texts.seller,
      privacy_url: texts.privacy_url,
      terms_url: texts.terms_url ?? null,
      ticks: texts.ticks.map(({id, label, links = [], required = false}) => ({
        id,
        label,
        links,
        required,
        ticked: ticked[id] === true,
      })),
      marketing: texts.marketing && marketing !== null ? {label: texts.marketing, ticked: marketing} : null,
      texts_digest: receipt.textsDigest,
      sent_at: formatInstant(receipt.at),
      network: receipt.network,
    };
  },
};

/** The buyer as the merchant gets it. */
export function toBuyer({person: {language: _, ...person}, at}: KnownBuyer) {
  return {...person, at: formatInstant(at)};
}
