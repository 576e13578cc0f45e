/** Reads a payment from the Worker: by request, and by a WebSocket. */

import type {Payment} from '../../../worker/contract/browser/answers.ts';
import {toProblem, type Problem} from '../../core/problem.ts';
import {isBoolean, isListOf, isAmount, shape, isText, isTime, WorkerClient} from '../../core/worker-client.ts';
import {SETTLED_BY_STATE} from '../purchase/order-client.ts';

export class PaymentClient extends WorkerClient {
  readPayment(token: string, signal: AbortSignal): Promise<Payment> {
    return this.ask('/v1/payment', {validate: isPayment, signal, token});
  }

  /** Opens a socket that sends the payment when it opens and on every change. */
  openSocket(token: string): WebSocket {
    return new WebSocket(`${this.address.replace(/^http/, 'ws')}/v1/payment/live`, ['vezne.v1', token]);
  }
}

export const isPayment = shape<Payment>({
  state: (value) => typeof value === 'string' && Object.hasOwn(SETTLED_BY_STATE, value),
  amount: isAmount,
  paid: isAmount,
  remaining: isAmount,
  late: isBoolean,
  transactions: isListOf(shape({amount: isAmount, bank: (value) => value === null || isText(value), at: isTime})),
});

interface SocketListener {
  /** The socket received a message other than `pong`. */
  onMessage(text: string): void;
  /** The socket closed or is dead. @param hadReceived whether it had received any message. */
  onClosed(hadReceived: boolean): void;
  /** The socket could not be opened, because there is no session. */
  onOpenFailed(problem: Problem): void;
}

/** After this time without a message, the socket sends a ping. */
const PING_MS = 45_000;
/** A socket without a pong in this time is dead. */
const PONG_MS = 4_000;

/**
 * The socket by which the Worker sends the payment; at most one is open. It detects dead sockets: after a phone slept
 * or the network changed, a socket can look open for minutes.
 */
export class PaymentSocket {
  #socket: WebSocket | undefined;
  #openingFor: AbortSignal | undefined;
  #hasReceived = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly open: (signal: AbortSignal) => Promise<WebSocket>,
    readonly listener: SocketListener,
  ) {}

  /** Whether the socket is open and has received a message. */
  get isLive(): boolean {
    return this.#hasReceived && this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Opens the socket, unless it is open or opening. `signal` aborts the opening. */
  async connect(signal: AbortSignal): Promise<void> {
    if (this.#socket || this.#openingFor === signal) return;
    this.#openingFor = signal;
    let socket: WebSocket;
    try {
      socket = await this.open(signal);
    } catch (thrown) {
      if (!signal.aborted) this.listener.onOpenFailed(toProblem(thrown));
      return;
    } finally {
      if (this.#openingFor === signal) this.#openingFor = undefined;
    }
    if (signal.aborted || this.#socket) return socket.close();
    this.#socket = socket;
    socket.addEventListener('message', ({data}) => {
      if (socket === this.#socket) this.#onMessage(String(data));
    });
    socket.addEventListener('close', () => {
      if (socket === this.#socket) this.#onClosed();
    });
  }

  /** Checks the socket with a ping. Called when the shopper or the network returns, and after `PING_MS`. */
  check(): void {
    const socket = this.#socket;
    if (socket?.readyState === WebSocket.OPEN) this.#ping(socket);
    else if (socket) this.#onClosed();
  }

  close(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#hasReceived = false;
    clearTimeout(this.#timer);
    socket?.close();
  }

  #onMessage(text: string): void {
    this.#hasReceived = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (!document.hidden) this.check();
    }, PING_MS);
    if (text !== 'pong') this.listener.onMessage(text);
  }

  #ping(socket: WebSocket): void {
    socket.send('ping');
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#onClosed(), PONG_MS);
  }

  #onClosed(): void {
    const hadReceived = this.#hasReceived;
    this.close();
    this.listener.onClosed(hadReceived);
  }
}
