/** Sends the requests of a page to a Worker. */

import type {OrderCode, Payment, NewPaymentSession} from '../../../worker/contract/browser/answers.ts';
import type {Problem} from '../../../worker/contract/problem.ts';
import {sendRequest} from './http-request.ts';
import {ORIGIN} from './worker-plans.ts';

export interface Answer<T = unknown> {
  readonly status: number;
  readonly body: T;
  /** The `Retry-After` header in seconds. */
  readonly retryAfter: number | null;
}

/** The answer to the last of several equal requests. */
export interface RetriedAnswer<T> extends Answer<T> {
  /** The sum of the delays between the requests. It does not depend on the speed of the machine. */
  readonly delaySeconds: number;
}

export class Page {
  readonly #worker: string;

  constructor(worker: string) {
    this.#worker = worker;
  }

  async request<T = unknown>(
    path: string,
    {session, body}: {session?: NewPaymentSession; body?: object} = {},
  ): Promise<Answer<T>> {
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
      body: JSON.parse(text) as T,
      retryAfter: headers['retry-after'] === undefined ? null : Number(headers['retry-after']),
    };
  }

  async openSession(): Promise<NewPaymentSession> {
    const {status, body} = await this.request<NewPaymentSession>('/v1/sessions', {body: {offer: 'gold'}});
    if (status !== 201) throw new Error(`The session was not created: ${JSON.stringify(body)}`);
    return body;
  }

  requestOrderCode = (session: NewPaymentSession) =>
    this.request<OrderCode | Problem>('/v1/order-code', {session, body: {}});

  readPayment = (session: NewPaymentSession) => this.request<Payment>('/v1/payment', {session});

  /** Opens a session and gets its order code. The platform must be healthy. */
  async openOrder(): Promise<{session: NewPaymentSession; code: string}> {
    const session = await this.openSession();
    const {status, body} = await this.requestOrderCode(session);
    if (status !== 200) throw new Error(`The order code was not created: ${JSON.stringify(body)}`);
    return {session, code: (body as OrderCode).order_code};
  }
}

/**
 * Repeats a request until `isDone`, as a page does. Before each retry it waits for `Retry-After`, or one second without
 * that header.
 */
export async function retryUntil<T>(
  request: () => Promise<Answer<T>>,
  isDone: (answer: Answer<T>) => boolean = ({status}) => status === 200,
): Promise<RetriedAnswer<T>> {
  for (let delaySeconds = 0; ;) {
    const answer = await request();
    if (isDone(answer)) return {...answer, delaySeconds};
    const seconds = answer.retryAfter ?? 1;
    delaySeconds += seconds;
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  }
}
