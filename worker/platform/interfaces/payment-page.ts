import {paymentPageKey, type PaymentPageRecipe} from '../keys.ts';
import {readResponseEnvelope} from './envelope.ts';
import type {PlatformInterface} from './interface.ts';

interface Options {
  readonly baseUrl: string;
  readonly merchantId: string;
  readonly secret: string;
  readonly recipe: PaymentPageRecipe;
}

/** Subscriptions 4.B: JSON with a `key` over its fields. Values go as text: the price's text is part of the key. */
export function paymentPageInterface({baseUrl, merchantId, secret, recipe}: Options): PlatformInterface {
  return {
    async request({path}, input) {
      const fields = {merchantId, ...input};
      const key = await paymentPageKey(recipe, fields, secret);
      return {
        url: `${baseUrl}${path}`,
        method: 'POST',
        headers: {'content-type': 'application/json'},
        body: JSON.stringify({...fields, key}),
      };
    },
    read: readResponseEnvelope,
  };
}
