import type * as z from 'zod/mini';
import {Payment} from '../../../worker/contract/browser/answers.ts';
import {type Answer, ask, ORIGIN} from './page.ts';

/** A page's open socket, with the payments that the page received, in order. */
export class PageSocket {
  readonly #received: string[] = [];
  readonly #waiting: ((text: string) => void)[] = [];
  readonly #closed = Promise.withResolvers<{code: number; reason: string}>();

  constructor(private readonly socket: WebSocket) {
    socket.addEventListener('message', ({data}) => {
      const waiting = this.#waiting.shift();
      if (waiting) waiting(String(data));
      else this.#received.push(String(data));
    });
    socket.addEventListener('close', ({code, reason}) => this.#closed.resolve({code, reason}));
    socket.accept();
  }

  /** Returns the next payment that the page receives. */
  async next(): Promise<z.infer<typeof Payment>> {
    return Payment.parse(JSON.parse(await this.#nextText()));
  }

  /**
   * Returns the payments that the page received since the last call. It sends a ping. Messages arrive in order, so the
   * answer to the ping marks the end.
   */
  async rest(): Promise<z.infer<typeof Payment>[]> {
    const payments: z.infer<typeof Payment>[] = [];
    this.socket.send('ping');
    for (let text = await this.#nextText(); text !== 'pong'; text = await this.#nextText())
      payments.push(Payment.parse(JSON.parse(text)));
    return payments;
  }

  send(text: string): void {
    this.socket.send(text);
  }

  close(): void {
    this.socket.close(1000);
  }

  get closed(): Promise<{code: number; reason: string}> {
    return this.#closed.promise;
  }

  #nextText(): Promise<string> {
    const text = this.#received.shift();
    return text === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(text);
  }
}

export function requestSocket(
  protocols: string | null,
  {origin = ORIGIN, bindings}: {origin?: string | null; bindings?: Record<string, unknown>} = {},
): Promise<Answer> {
  return ask('/v1/payment/live', {
    headers: {
      upgrade: 'websocket',
      ...(origin !== null && {origin}),
      ...(protocols !== null && {'sec-websocket-protocol': protocols}),
    },
    ...(bindings && {bindings}),
  });
}

/** Opens the socket of a page with this session token. */
export async function openSocket(token: string): Promise<PageSocket> {
  const {webSocket, status, text} = await requestSocket(`vezne.v1, ${token}`);
  if (!webSocket) throw new Error(`${status} ${text}`);
  return new PageSocket(webSocket);
}
