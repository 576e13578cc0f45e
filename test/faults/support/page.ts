/** A page's requests to a Worker, timed. */

import type {Health, OrderCode, Payment, NewPaymentSession} from '../../../worker/contract/browser/answers.ts';
import type {Problem} from '../../../worker/contract/problem.ts';
import {sendRequest} from './http-request.ts';
import {ORIGIN} from './worker-plans.ts';

export interface Answer<T = unknown> {
  readonly status: number;
  readonly contentType: string;
  readonly body: T;
  /** Seconds. */
  readonly retryAfter: number | null;
  /** From asking to the last byte. */
  readonly tookMs: number;
}

export class Page {
  readonly #worker: string;

  constructor(worker: string) {
    this.#worker = worker;
  }

  async ask<T = unknown>(
    path: string,
    {session, body}: {session?: NewPaymentSession; body?: object} = {},
  ): Promise<Answer<T>> {
    const startedAt = performance.now();
    const {status, headers, text} = await sendRequest(`${this.#worker}${path}`, {
      headers: {
        origin: ORIGIN,
        ...(session && {authorization: `Bearer ${session.token}`}),
        ...(body && {'content-type': 'application/json'}),
      },
      body: body && JSON.stringify(body),
    });
    return {
      status,
      contentType: headers['content-type'] ?? '',
      body: JSON.parse(text) as T,
      retryAfter: headers['retry-after'] === undefined ? null : Number(headers['retry-after']),
      tookMs: performance.now() - startedAt,
    };
  }

  async openSession(): Promise<NewPaymentSession> {
    const {status, body} = await this.ask<NewPaymentSession>('/v1/sessions', {body: {offer: 'gold'}});
    if (status !== 201) throw new Error(`No session: ${JSON.stringify(body)}`);
    return body;
  }

  askOrderCode = (session: NewPaymentSession) => this.ask<OrderCode | Problem>('/v1/order-code', {session, body: {}});

  askPayment = (session: NewPaymentSession) => this.ask<Payment>('/v1/payment', {session});

  askBanks = () => this.ask('/v1/banks');

  health = async () => (await this.ask<Health>('/health')).body;

  /** A session and its order's code, from a platform that is well. */
  async openOrder(): Promise<{session: NewPaymentSession; code: string}> {
    const session = await this.openSession();
    const {status, body} = await this.askOrderCode(session);
    if (status !== 200) throw new Error(`No order code: ${JSON.stringify(body)}`);
    return {session, code: (body as OrderCode).order_code};
  }
}

/** Asks again, as a page does, until the answer is good; as long as told, else a second apart. */
export async function retryUntil<T>(
  ask: () => Promise<Answer<T>>,
  good: (answer: Answer<T>) => boolean = ({status}) => status === 200,
): Promise<Answer<T>> {
  for (;;) {
    const answer = await ask();
    if (good(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 1000 * (answer.retryAfter ?? 1)));
  }
}
