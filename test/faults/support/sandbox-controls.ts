/** Calls the sandbox's control API. */

import {sendRequest} from './http-request.ts';

export interface SandboxOrder {
  readonly order_code: string;
  /** The merchant's reference of the order. */
  readonly order: string;
}

export class SandboxControls {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async control(name: string, body?: object): Promise<unknown> {
    const {status, text} = await sendRequest(`${this.#url}/_sandbox/${name}`, {body: body && JSON.stringify(body)});
    if (status !== 200) throw new Error(`${name}: ${text}`);
    return JSON.parse(text);
  }

  /** Sends a transfer of 149.90 with an order code. */
  async pay(orderCode: string): Promise<void> {
    await this.control('transfers', {order_code: orderCode, bank: 'garanti', amount: '149.90'});
  }

  async orders(): Promise<SandboxOrder[]> {
    return ((await this.control('orders?limit=1000')) as {orders: SandboxOrder[]}).orders;
  }

  /** The paths of all calls that the platform received. */
  async paths(): Promise<string[]> {
    return ((await this.control('calls')) as {calls: {path: string}[]}).calls.map(({path}) => path);
  }

  fault(operation: string, fault: object): Promise<unknown> {
    return this.control('faults', {operation, ...fault});
  }

  async heal(operation?: string): Promise<void> {
    await this.control('faults', operation ? {operation, kind: 'clear'} : {});
  }
}
