/** Makes offers as the merchant's server does. */

let offers = 0;

/** @returns the link of a new offer. @param origin - The Worker's. @param fields - What differs from a bill. */
export async function makeLink(origin: string, fields: object = {}): Promise<string> {
  offers += 1;
  const response = await fetch(`${origin}/merchant/v1/offers/rug-${Date.now()}-${offers}`, {
    method: 'PUT',
    headers: {
      authorization: 'Bearer sandbox-merchant-api-key',
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify({
      kind: 'payment',
      service: 'DEMO',
      amount: '2450.00',
      uses: 'one',
      title: {tr: 'El dokuma kilim', en: 'Handwoven rug'},
      seller: {name: 'Fener Atölyesi', support_phone: '0850 000 00 00'},
      ...fields,
    }),
  });
  if (!response.ok) throw new Error(`The Worker answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as {url: string}).url;
}
