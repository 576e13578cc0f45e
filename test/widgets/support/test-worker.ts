/** A stubbed Worker of one test's own: the test says how it behaves and sees what it was asked. */

import type {Payment} from '../../../worker/contract/browser/answers.ts';
import type {Call, Fault, Operation, Script} from '../stub-worker/script.ts';
// Served by the test runner, which knows on which port the Worker listens.
// @ts-expect-error no such file
import {origin as served} from './stub-origin.js';

export const origin = served as string;
let scenes = 0;

export class TestWorker {
  /** What elements take as `api`. */
  readonly address: string;

  private constructor(name: string) {
    this.address = `${origin}/${name}`;
  }

  static async start(script: Partial<Script> = {}): Promise<TestWorker> {
    const worker = new TestWorker(`${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}-${scenes++}`);
    await worker.script(script);
    return worker;
  }

  async script(change: Partial<Script>): Promise<void> {
    await this.#control('script', change);
  }

  /** Has one operation fail from now on; without a fault, work again. */
  async fault(operation: Operation, fault?: Fault): Promise<void> {
    await this.script({faults: fault ? {[operation]: fault} : {}});
  }

  /** Changes the payment and tells all sockets. */
  async send(payment: Payment): Promise<void> {
    await this.#control('send', {payment});
  }

  /** Sends text that is no payment. */
  async sendRaw(raw: string): Promise<void> {
    await this.#control('send', {raw});
  }

  /** Ends all sockets without a word. */
  async dropSockets(): Promise<void> {
    await this.#control('drop');
  }

  /** Lets held answers go, and holds no more. */
  async release(): Promise<void> {
    await this.#control('release');
  }

  async calls(operation?: Call['operation']): Promise<readonly Call[]> {
    const {calls} = await this.#control('');
    return operation ? calls.filter((call) => call.operation === operation) : calls;
  }

  async sockets(): Promise<number> {
    return (await this.#control('')).sockets;
  }

  async #control(verb: string, body: object = {}): Promise<{calls: Call[]; sockets: number}> {
    const response = await realFetch(`${this.address}/_control/${verb}`, {method: 'POST', body: JSON.stringify(body)});
    return (await response.json()) as {calls: Call[]; sockets: number};
  }
}

const realFetch = fetch.bind(globalThis);
