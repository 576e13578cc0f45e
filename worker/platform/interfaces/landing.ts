import {readStatusEnvelope} from './envelope.ts';
import type {PlatformInterface} from './interface.ts';
import {encodeForm} from './phs.ts';

interface Options {
  readonly baseUrl: string;
  readonly merchantId: string;
  readonly authorization: string;
}

/** Subscriptions 4.C: a form that carries `authorization` and `merchant`, kept out of the address. */
export function landingInterface({baseUrl, merchantId, authorization}: Options): PlatformInterface {
  return {
    request: ({path}, input) => ({
      url: `${baseUrl}${path}`,
      method: 'POST',
      headers: {},
      body: encodeForm({authorization, merchant: merchantId, ...input}),
    }),
    read: readStatusEnvelope,
  };
}
