/** A Worker that sells a subscription, the sandbox, and the line between them; pages ask from whatever address. */

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

  /** @param limits of the Worker's that differ; a PIN is answered at once unless its time is what is looked at. */
  static async open(
    bundles: Bundles,
    limits: Record<string, number | null> = {pin_answer_ms: 1},
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
    };
    const worker = await Workerd.start([planWorker('worker', bundles, line.url, vars)]);
    return new LandingStack(sandbox, line, worker);
  }

  /** A page asks; without a body it reads. */
  ask(path: string, {token, body, address = '192.0.2.1', headers = {}}: PageRequest = {}): Promise<HttpResponse> {
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
    const {status, text} = await this.ask('/v1/sessions', {body: {offer}});
    if (status !== 201) throw new Error(`No session: ${text}`);
    return (JSON.parse(text) as {token: string}).token;
  }

  askPin(token: string, msisdn: string, address: string): Promise<HttpResponse> {
    return this.ask('/v1/pins', {token, address, body: {operator: 1, msisdn, tracking_id: 't-1'}});
  }

  /** The PIN that a number was sent: answers leave before the platform's do. */
  async pinOf(msisdn: string): Promise<string> {
    for (; ; await wait(20)) {
      const pin = (await this.messagesTo(msisdn)).flatMap((message) => /\b\d{4}\b/.exec(message) ?? []).at(-1);
      if (pin !== undefined) return pin;
    }
  }

  /** What a number was sent. */
  async messagesTo(msisdn: string): Promise<string[]> {
    return ((await this.platform.control(`sms?msisdn=${msisdn}`)) as {messages: {message: string}[]}).messages.map(
      ({message}) => message,
    );
  }

  /** How often the platform was asked for this. */
  async calls(part: string): Promise<number> {
    return (await this.platform.paths()).filter((path) => path.includes(part)).length;
  }

  /** How many SMS were sent. */
  async messages(): Promise<number> {
    return ((await this.platform.control('sms?limit=10000')) as {messages: unknown[]}).messages.length;
  }

  async close(): Promise<void> {
    await this.worker.stop();
    await this.line.stop();
    await this.#sandbox.stop();
  }
}

/** Does all of them, so many at once. */
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

/** An address somewhere in the world, always the same for the same number, nowhere that is reserved. */
export function addressAt(index: number): string {
  const spread = (index * 2_654_435_761) >>> 0;
  return [((spread >>> 24) % 200) + 11, (spread >>> 16) & 255, (spread >>> 8) & 255, (index % 250) + 1].join('.');
}
