/** The Worker's answers in these pages. No request leaves the page. */

import * as stub from '../widgets/stub-worker/answers.ts';

/** What the page has sent to the Worker. @type {{path: string, body: any}[]} */
export const calls = [];

export const API = `${location.origin}/worker`;

/** @type {Record<string, (body: any) => unknown>} */
const ANSWERS = {
  '/v1/sessions': ({offer}) => (offer === 'club' ? {token: 'a.b.club', ...stub.terms()} : stub.session()),
  '/v1/banks': () => stub.bankList(),
  '/v1/order-code': ({bank}) => ({
    ...stub.session(),
    ...stub.orderCode(),
    account: stub.FEW_BANKS.find(({id}) => id === bank) ?? stub.FEW_BANKS[0],
  }),
  '/v1/payment': () => stub.PAYMENTS.waiting,
  '/v1/payment-notices/prefill': () => stub.NO_PREFILL,
  '/v1/pins': () => stub.pinSent(),
  '/v1/refund-links/preview': () => stub.refund('open'),
  '/v1/activities': () => ({}),
};

const pageFetch = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const address = new URL(input instanceof Request ? input.url : input, location.href).href;
  if (!address.startsWith(API)) return pageFetch(input, init);
  const path = address.slice(API.length);
  const body = init?.body ? JSON.parse(String(init.body)) : {};
  calls.push({path, body});
  const read = new Headers(init?.headers).get('vezne-read');
  return Response.json(ANSWERS[path]?.(body) ?? {}, {
    status: ANSWERS[path] ? 200 : 404,
    headers: read ? {'vezne-read': read} : {},
  });
};

/**
 * Waits for a value that is neither undefined nor null nor false.
 * @template T @param {string} what @param {() => T} check @returns {Promise<NonNullable<T>>}
 */
export async function until(what, check) {
  const endsAt = performance.now() + 10_000;
  for (;;) {
    const value = check();
    if (value) return value;
    if (performance.now() > endsAt) throw new Error(`Timed out: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
