/** Fills the refund form with an order that can be refunded, so that its first request succeeds. */

interface Transaction {
  readonly service: string;
  readonly order: string;
  readonly amount: string;
}

/** How many of the newest payments are considered. Each costs a request. */
const MAX_PAYMENTS = 5;

/**
 * Writes the newest payment that has no refund yet into the body of the form. Changes nothing if there is no such
 * payment, or if the user has changed the body in the meantime.
 */
export async function fillRefund(body: HTMLTextAreaElement, merchantKey: string): Promise<void> {
  const example = body.value;
  const payment = await findPayment(merchantKey).catch(() => undefined);
  if (!payment || body.value !== example) return;
  const {service, order, amount} = payment;
  body.value = JSON.stringify({...(JSON.parse(example) as object), service, order, amount}, null, 2);
}

async function findPayment(merchantKey: string): Promise<Transaction | undefined> {
  const ask = async (path: string, search?: object): Promise<{items: Transaction[]}> => {
    const response = await fetch(`/merchant/v1/${path}`, {
      headers: {authorization: `Bearer ${merchantKey}`, 'content-type': 'application/json'},
      ...(search && {method: 'POST', body: JSON.stringify(search)}),
    });
    if (!response.ok) throw new Error(`The Worker answered ${response.status}.`);
    return (await response.json()) as {items: Transaction[]};
  };
  const {items} = await ask('transactions/search', {service: 'DEMO', limit: 50});
  // A payment that matches no order has an empty reference.
  for (const payment of items.filter(({order}) => order).slice(0, MAX_PAYMENTS)) {
    const {service, order} = payment;
    const refunds = await ask(`refunds?${new URLSearchParams({service, order})}`);
    if (refunds.items.length === 0) return payment;
  }
  return undefined;
}
