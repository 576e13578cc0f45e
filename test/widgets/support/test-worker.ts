/** Controls the stub Worker for one test. The test decides how the stub behaves, and reads the requests it received. */

import type {Payment} from '../../../worker/contract/browser/answers.ts';
import type {Call, Fault, Operation, Script} from '../stub-worker/script.ts';
// The test runner generates this file and serves it, because only the test runner knows the port of the stub Worker.
// @ts-expect-error no such file
import {origin as served} from './stub-origin.js';

/** The other origin of the stub. */
export const origin = served as string;
let workerCount = 0;

/** What the stub answers to every control message. */
interface SceneState {
  readonly calls: readonly Call[];
  /** The number of open sockets. */
  readonly sockets: number;
}

/**
 * The connection to the stub's controls. It is opened once for all tests of a file: a message on an open socket needs
 * much less processor time than an HTTP request.
 */
const control = new WebSocket(`${origin.replace('http', 'ws')}/_control`);
const connected = new Promise((resolve, reject) => {
  control.addEventListener('open', resolve);
  control.addEventListener('close', () => reject(new Error('The stub Worker has closed its control socket.')));
});
/** The receivers of the answers that have not arrived. The stub answers in the order of the messages. */
const receivers: ((state: SceneState) => void)[] = [];
control.addEventListener('message', ({data}) => receivers.shift()?.(JSON.parse(data as string) as SceneState));

export class TestWorker {
  /** The `api` attribute of the elements. */
  readonly address: string;
  readonly #scene: string;

  private constructor(scene: string, at: string) {
    this.#scene = scene;
    this.address = `${at}/${scene}`;
  }

  /** Starts a Worker on the page's own origin, which needs no preflight requests: they are half of all requests. */
  static start(script: Partial<Script> = {}): Promise<TestWorker> {
    return this.#start(location.origin, script);
  }

  /** Starts a Worker on another origin, as on merchants' pages. */
  static startCrossOrigin(script: Partial<Script> = {}): Promise<TestWorker> {
    return this.#start(origin, script);
  }

  static async #start(at: string, script: Partial<Script>): Promise<TestWorker> {
    const name = `scene-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}-${workerCount++}`;
    const worker = new TestWorker(name, at);
    if (Object.keys(script).length > 0) await worker.script(script);
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

  async #control(action: string, body: object = {}): Promise<SceneState> {
    await connected;
    return new Promise((resolve) => {
      receivers.push(resolve);
      control.send(JSON.stringify({scene: this.#scene, action, body}));
    });
  }
}
