/** Controls the stub Worker for one test. The test decides how the stub behaves, and reads the requests it received. */

import type {Payment} from '../../../worker/contract/browser/answers.ts';
import type {Call, Fault, Operation, Script} from '../stub-worker/script.ts';
// The test runner generates this file and serves it, because only the test runner knows the port of the stub Worker.
// @ts-expect-error no such file
import {origin as served} from './stub-origin.js';

export const origin = served as string;
let workerCount = 0;

export class TestWorker {
  /** The `api` attribute of the elements. */
  readonly address: string;

  private constructor(name: string) {
    this.address = `${origin}/${name}`;
  }

  static async start(script: Partial<Script> = {}): Promise<TestWorker> {
    const worker = new TestWorker(`${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}-${workerCount++}`);
    await worker.script(script);
    return worker;
  }

  /** Changes how the stub Worker behaves from now on. */
  async script(change: Partial<Script>): Promise<void> {
    await this.#control('script', change);
  }

  /** From now on, makes one operation fail and all others work. If there is no `fault`, all operations work. */
  async fault(operation: Operation, fault?: Fault): Promise<void> {
    await this.script({faults: fault ? {[operation]: fault} : {}});
  }

  /** Changes the payment and sends it through all sockets. */
  async send(payment: Payment): Promise<void> {
    await this.#control('send', {payment});
  }

  /** Sends any text through all sockets. */
  async sendRaw(raw: string): Promise<void> {
    await this.#control('send', {raw});
  }

  /** Closes all sockets without a closing handshake. */
  async dropSockets(): Promise<void> {
    await this.#control('drop');
  }

  /** Sends the answers that the stub has held back. From now on, it holds no answers back. */
  async release(): Promise<void> {
    await this.#control('release');
  }

  /** The requests that the stub has received so far. */
  async calls(operation?: Call['operation']): Promise<readonly Call[]> {
    const {calls} = await this.#control('');
    return operation ? calls.filter((call) => call.operation === operation) : calls;
  }

  /** The sessions of all requests for an order code. */
  async codeSessions(): Promise<readonly unknown[]> {
    return (await this.calls('code')).map(({body}) => (body as {session?: string}).session);
  }

  /** The number of open sockets. */
  async sockets(): Promise<number> {
    return (await this.#control('')).sockets;
  }

  async #control(action: string, body: object = {}): Promise<{calls: Call[]; sockets: number}> {
    const response = await realFetch(`${this.address}/_control/${action}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    return (await response.json()) as {calls: Call[]; sockets: number};
  }
}

const realFetch = fetch.bind(globalThis);
