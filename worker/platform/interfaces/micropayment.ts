import {readResponseEnvelope} from './envelope.ts';
import type {PlatformInterface} from './interface.ts';

interface Options {
  readonly baseUrl: string;
  readonly merchantId: string;
  /** Credentials, where a platform wants them as headers. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Subscriptions 4.A: ids in the path of a GET, JSON in the body of a POST. */
export function micropaymentInterface({baseUrl, merchantId, headers}: Options): PlatformInterface {
  return {
    request({method, path}, input) {
      const filled: Record<string, unknown> = {merchantId, ...input};
      const url =
        baseUrl + path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(String(filled[name])));
      if (method === 'GET') return {url, method, headers};
      const {serviceId, ...rest} = input;
      // Digits as they are: an id may be beyond 2^53.
      const ids = `{"merchantId":${BigInt(merchantId)},"serviceId":${BigInt(String(serviceId))},`;
      const body = ids + JSON.stringify(rest).slice(1);
      return {url, method, headers: {...headers, 'content-type': 'application/json'}, body};
    },
    read: readResponseEnvelope,
  };
}
