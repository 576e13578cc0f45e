/** Client of the sandbox controls that the demo uses. Amounts are decimal text. */

export interface SandboxOrder {
  /** The merchant's reference. */
  readonly order: string;
  readonly order_code: string;
  readonly amount: string;
  readonly arrived: string;
}

export interface SandboxTransfer {
  readonly transaction_id: number;
  readonly matched: boolean;
  readonly amount: string;
  readonly description: string;
  /** `YYYY-MM-DD HH:MM:SS` on the sandbox's clock. */
  readonly at: string;
}

export interface NewTransfer {
  readonly description: string;
  readonly bank: string;
  readonly amount: string;
  readonly sender?: string;
}

export interface SandboxSms {
  readonly message: string;
  readonly msisdn: string;
  readonly at: string;
}

export class SandboxClient {
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Returns the newest orders, newest first. */
  async orders(limit: number): Promise<SandboxOrder[]> {
    return (await this.#request<{orders: SandboxOrder[]}>(`orders?limit=${limit}`)).orders;
  }

  /** Returns the newest transfers, newest first. */
  async transfers(limit = 4): Promise<SandboxTransfer[]> {
    return (await this.#request<{transfers: SandboxTransfer[]}>(`transfers?limit=${limit}`)).transfers;
  }

  send(transfer: NewTransfer): Promise<{transaction_id: number; matched: boolean}> {
    return this.#request('transfers', transfer);
  }

  /** Returns the newest messages, oldest first. */
  async sms(limit: number): Promise<SandboxSms[]> {
    return (await this.#request<{messages: SandboxSms[]}>(`sms?limit=${limit}`)).messages;
  }

  /** Creates a number token, as the mobile network does for a visitor. */
  async issueNumberToken(msisdn: string): Promise<string> {
    return (await this.#request<{number_token: string}>('number-tokens', {msisdn})).number_token;
  }

  /** Makes a record of the platform, such as one of `subscriptions`. */
  make<T>(records: string, fields: object): Promise<T> {
    return this.#request(records, fields);
  }

  /** Calls another control, such as `clock`, `reset` or `tokens/expire`. */
  async control(name: string, body: object): Promise<void> {
    await this.#request(name, body);
  }

  /** @throws if the sandbox is unavailable or refuses the request. */
  async #request<T>(control: string, body?: object): Promise<T> {
    const request = body && {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(body)};
    const response = await fetch(`${this.#origin}/_sandbox/${control}`, request);
    if (!response.ok) throw new Error(`The sandbox answered ${response.status}.`);
    return response.json() as Promise<T>;
  }
}

const REFRESH_MS = 2_000;

/**
 * Calls `draw` every two seconds while the page is visible.
 * @returns a function that redraws immediately.
 */
export function pollWhileVisible(draw: () => Promise<void>): () => Promise<void> {
  const refresh = async (): Promise<void> => {
    if (document.hidden) return;
    try {
      await draw();
    } catch {
      // The sandbox is unavailable. The next refresh retries, and the next click shows a message.
    }
  };
  setInterval(() => void refresh(), REFRESH_MS);
  document.addEventListener('visibilitychange', () => void refresh());
  return refresh;
}
