/** Controls the stub Worker of one test: the test decides how it behaves, and reads which requests it got. */

import type {Payment} from '../../../worker/contract/browser/answers.ts';
import type {Call, Fault, Operation, Script} from '../stub-worker/script.ts';
// The test runner serves this file, because only it knows the port of the stub Worker.
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

  /** Makes one operation fail from now on, and all others work. Without `fault`, all operations work. */
  async fault(operation: Operation, fault?: Fault): Promise<void> {
    await this.script({faults: fault ? {[operation]: fault} : {}});
  }

  /** Changes the payment and sends it to all sockets. */
  async send(payment: Payment): Promise<void> {
    await this.#control('send', {payment});
  }

  /** Sends any text to all sockets. */
  async sendRaw(raw: string): Promise<void> {
    await this.#control('send', {raw});
  }

  /** Closes all sockets without a closing handshake. */
  async dropSockets(): Promise<void> {
    await this.#control('drop');
  }

  /** Sends the held answers, and holds no further answers. */
  async release(): Promise<void> {
    await this.#control('release');
  }

  /** The requests so far. */
  async calls(operation?: Call['operation']): Promise<readonly Call[]> {
    const {calls} = await this.#control('');
    return operation ? calls.filter((call) => call.operation === operation) : calls;
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
