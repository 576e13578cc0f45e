/** Calls the merchant API as the merchant's server does. */

let offers = 0;

/** Sends a request of the merchant's server. @param origin - The Worker's. */
export async function callMerchant<T>(origin: string, method: string, path: string, body: object): Promise<T> {
  const response = await fetch(`${origin}/merchant/v1/${path}`, {
    method,
    headers: {
      authorization: 'Bearer sandbox-merchant-api-key',
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`The Worker answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** @returns the link of a new offer. @param origin - The Worker's. @param fields - What differs from a bill. */
export async function makeLink(origin: string, fields: object = {}): Promise<string> {
  offers += 1;
  const {url} = await callMerchant<{url: string}>(origin, 'PUT', `offers/rug-${Date.now()}-${offers}`, {
    kind: 'payment',
    service: 'DEMO',
    amount: '2450.00',
    uses: 'one',
    title: {tr: 'El dokuma kilim', en: 'Handwoven rug'},
    seller: {name: 'Fener Atölyesi', support_phone: '0850 000 00 00'},
    ...fields,
  });
  return url;
}
