/** The bank of a test. It uses the sandbox's controls to make transfers and count orders. */
export class Bank {
  readonly #sandbox: string;

  constructor(sandbox: string) {
    this.#sandbox = sandbox;
  }

  /**
   * Sends a transfer of `amount` with `code` as its description. The code may contain spaces, because shoppers may type
   * spaces.
   */
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

  /** @returns The number of orders at the platform. */
  async countOrders(): Promise<number> {
    const response = await fetch(`${this.#sandbox}/_sandbox/orders?limit=10000`);
    return ((await response.json()) as {orders: unknown[]}).orders.length;
  }
}
