/** Reads a payment from the Worker, with single requests and through a WebSocket. */

import type {Payment, PaymentState} from '../../../worker/contract/browser/answers.ts';
import {paymentRefusals, toProblem, type Problem} from '../../core/problem.ts';
import {isBoolean, isListOf, isAmount, shape, isText, isTime, WorkerClient} from '../../core/worker-client.ts';

export class PaymentClient extends WorkerClient {
  protected override readonly refusals = paymentRefusals;

  readPayment(token: string, signal: AbortSignal): Promise<Payment> {
    return this.ask('/v1/payment', {validate: isPayment, signal, token});
  }

  /** Opens a socket. Through the socket, the Worker sends the payment immediately, and again after every change. */
  openSocket(token: string): WebSocket {
    return new WebSocket(`${this.address.replace(/^http/, 'ws')}/v1/payment/live`, ['vezne.v1', token]);
  }
}

/** Whether a payment in each state is settled, so that the elements no longer ask the shopper to pay. */
const SETTLED_BY_STATE: Readonly<Record<PaymentState, boolean>> = {
  waiting: false,
  pending: false,
  partial: false,
  paid: true,
  overpaid: true,
  completed: true,
  refunded: true,
  expired: true,
  cancelled: true,
};

/** Whether the payment is known and settled. */
export function isSettled(payment: Payment | undefined): boolean {
  return payment !== undefined && SETTLED_BY_STATE[payment.state];
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
  /** Called when the socket has received a message other than `pong`. */
  onMessage(text: string): void;
  /** Called when the socket is closed or dead. @param hadReceived - Whether the socket had received any message. */
  onClosed(hadReceived: boolean): void;
  /** Called when the socket could not be opened, because there is no session. */
  onOpenFailed(problem: Problem): void;
}

/** If no message arrives during this time, the page sends a ping through the socket. */
const PING_MS = 45_000;
/** If no pong arrives in this time, the socket is dead. */
const PONG_MS = 4_000;

/**
 * The socket through which the Worker sends the payment. At most one socket is open. Sockets that are dead are detected
 * with a ping: after a phone has slept or its network has changed, a dead socket can look open for minutes.
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

  /** Opens the socket, unless it is open or opening. `signal` cancels the opening. */
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

  /** Checks the socket with a ping. Called when the shopper or the network returns, and `PING_MS` after a message. */
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
