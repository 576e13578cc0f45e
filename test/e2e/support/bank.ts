/** The bank of a test: what the sandbox's controls can do to an order. */
export class Bank {
  readonly #sandbox: string;

  constructor(sandbox: string) {
    this.#sandbox = sandbox;
  }

  /** Somebody sends `amount` with the code, written as a shopper may have copied it, in the description. */
  async receive(code: string, amount: string): Promise<void> {
    const body = JSON.stringify({description: code, bank: 'ziraat', amount, sender: 'Deniz Örnek'});
    const response = await fetch(`${this.#sandbox}/_sandbox/transfers`, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body,
    });
    const {matched} = (await response.json()) as {matched?: boolean};
    if (!matched) throw new Error(`The sandbox did not match a transfer with "${code}".`);
  }

  /** How many orders the platform holds. */
  async countOrders(): Promise<number> {
    const response = await fetch(`${this.#sandbox}/_sandbox/orders?limit=10000`);
    return ((await response.json()) as {orders: unknown[]}).orders.length;
  }
}
