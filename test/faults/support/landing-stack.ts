/**
 * Starts a Worker that sells a subscription, the sandbox, and a fault proxy between them (the "line"). A test chooses
 * the client IP address of each request.
 */

import {setTimeout as wait} from 'node:timers/promises';
import {type FaultProxy, startFaultProxy} from '../../support/fault-proxy.ts';
import type {Bundles} from './bundles.ts';
import {sendRequest, type HttpResponse} from './http-request.ts';
import {SandboxControls} from './sandbox-controls.ts';
import {ORIGIN, planSandbox, planWorker} from './worker-plans.ts';
import {Workerd} from './workerd.ts';

const CLUB = {
  kind: 'subscription',
  product: 77,
  price: '12.00',
  period: 'weekly',
  title: {tr: 'Kulüp', en: 'Club'},
  terms: {tr: 'Haftalık', en: 'Weekly'},
  operators: [{id: 1, name: 'Bir'}],
};
const LAMP = {kind: 'payment', service: 'DEMO', amount: '149.90', title: {tr: 'Lamba', en: 'Lamp'}};

export interface PageRequest {
  readonly token?: string;
  readonly body?: object | string;
  readonly address?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export class LandingStack {
  readonly line: FaultProxy;
  readonly worker: Workerd;
  readonly platform: SandboxControls;
  readonly #sandbox: Workerd;

  private constructor(sandbox: Workerd, line: FaultProxy, worker: Workerd) {
    this.line = line;
    this.worker = worker;
    this.platform = new SandboxControls(sandbox.url('sandbox'));
    this.#sandbox = sandbox;
  }

  /**
   * @param limits - Changes to the Worker's limits. By default the fixed response time of `POST /v1/pins` is 1 ms,
   *   which keeps tests of other things fast.
   * @param change - `vars`: additional variables of the Worker. `without`: names of variables that the Worker lacks.
   */
  static async open(
    bundles: Bundles,
    limits: Record<string, number | null> = {pin_answer_ms: 1},
    {without = [], vars: more = {}}: {without?: readonly string[]; vars?: Record<string, string>} = {},
  ): Promise<LandingStack> {
    const sandbox = await Workerd.start([planSandbox('sandbox', bundles)]);
    const line = await startFaultProxy({target: sandbox.url('sandbox')});
    const vars = {
      LANDING_URL: `${line.url}/landing`,
      MICROPAYMENT_URL: `${line.url}/micropayment`,
      LANDING_AUTHORIZATION: 'sandbox-landing-authorization',
      PAYMENT_PAGE_URL: `${line.url}/pay`,
      PAYMENT_PAGE_SECRET: 'sandbox-payment-page-secret',
      SERVICES: '{"DEMO":{"micropaymentId":1}}',
      OFFERS: JSON.stringify({club: CLUB, gold: LAMP}),
      LIMITS: JSON.stringify({address_sessions_per_minute: null, ...limits}),
      ...more,
    };
    const plan = planWorker('worker', bundles, line.url, vars);
    const kept = Object.fromEntries(Object.entries(plan.vars).filter(([name]) => !without.includes(name)));
    const worker = await Workerd.start([{...plan, vars: kept}]);
    return new LandingStack(sandbox, line, worker);
  }

  /** Sends a page's request: a GET without a body, otherwise a POST. */
  request(path: string, {token, body, address = '192.0.2.1', headers = {}}: PageRequest = {}): Promise<HttpResponse> {
    return sendRequest(`${this.worker.url('worker')}${path}`, {
      headers: {
        origin: ORIGIN,
        'cf-connecting-ip': address,
        'content-type': 'application/json',
        ...(token !== undefined && {authorization: `Bearer ${token}`}),
        ...headers,
      },
      body: typeof body === 'object' ? JSON.stringify(body) : body,
    });
  }

  async openSession(offer: 'club' | 'gold'): Promise<string> {
    const {status, text} = await this.request('/v1/sessions', {body: {offer}});
    if (status !== 201) throw new Error(`The session was not created: ${text}`);
    return (JSON.parse(text) as {token: string}).token;
  }

  requestPin(token: string, msisdn: string, address: string): Promise<HttpResponse> {
    return this.request('/v1/pins', {token, address, body: {operator: 1, msisdn, tracking_id: 't-1'}});
  }

  /**
   * Waits for the PIN that is sent to a number. The Worker answers before the platform does, so the SMS may arrive
   * after the answer.
   */
  async pinOf(msisdn: string): Promise<string> {
    for (; ; await wait(20)) {
      const pin = (await this.messagesTo(msisdn)).flatMap((message) => /\b\d{4}\b/.exec(message) ?? []).at(-1);
      if (pin !== undefined) return pin;
    }
  }

  /** The texts of the SMS sent to a number. */
  async messagesTo(msisdn: string): Promise<string[]> {
    return ((await this.platform.control(`sms?msisdn=${msisdn}`)) as {messages: {message: string}[]}).messages.map(
      ({message}) => message,
    );
  }

  /** How many calls with `part` in their path the platform received. */
  async calls(part: string): Promise<number> {
    return (await this.platform.paths()).filter((path) => path.includes(part)).length;
  }

  async close(): Promise<void> {
    await this.worker.stop();
    await this.line.stop();
    await this.#sandbox.stop();
  }
}

/** Runs `task` for each index below `count`, with at most `concurrency` at the same time. */
export async function inParallel<T>(
  count: number,
  concurrency: number,
  task: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) results[index] = await task(index);
  };
  await Promise.all(Array.from({length: concurrency}, worker));
  return results;
}

/** A public IP address for an index. The same index always gives the same address. */
export function addressAt(index: number): string {
  const spread = (index * 2_654_435_761) >>> 0;
  return [((spread >>> 24) % 200) + 11, (spread >>> 16) & 255, (spread >>> 8) & 255, (index % 250) + 1].join('.');
}
