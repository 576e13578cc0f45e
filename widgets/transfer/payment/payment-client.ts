import type {Payment} from '../../../worker/contract/browser/answers.ts';
import {toProblem, type Problem} from '../../core/problem.ts';
import {isBoolean, isListOf, isAmount, shape, isText, isTime, WorkerClient} from '../../core/worker-client.ts';
import {SETTLED_BY_STATE} from '../purchase/order-client.ts';

/** What a page asks the Worker about a payment that is awaited. */
export class PaymentClient extends WorkerClient {
  readPayment(token: string, signal: AbortSignal): Promise<Payment> {
    return this.ask('/v1/payment', {validate: isPayment, signal, token});
  }

  /** A socket that sends the payment when it opens and on every change. */
  openSocket(token: string): WebSocket {
    return new WebSocket(`${this.address.replace(/^http/, 'ws')}/v1/payment/live`, ['vezne.v1', token]);
  }
}

/** What the elements one pays with look at in the Worker's answer. */
export const isPayment = shape<Payment>({
  state: (value) => typeof value === 'string' && Object.hasOwn(SETTLED_BY_STATE, value),
  amount: isAmount,
  paid: isAmount,
  remaining: isAmount,
  late: isBoolean,
  transactions: isListOf(shape({amount: isAmount, bank: (value) => value === null || isText(value), at: isTime})),
});

/** What the socket tells whoever has it. */
interface SocketListener {
  /** Something was said that is no pong. */
  onMessage(text: string): void;
  /** It is gone, by whatever way. @param hadReceived whether it ever said anything. */
  onClosed(hadReceived: boolean): void;
  /** There is no session to open it with. */
  onOpenFailed(problem: Problem): void;
}

/** A socket may die without a word: as often as this it is asked whether it still hears. */
const PING_MS = 45_000;
const PONG_MS = 4_000;

/**
 * The line on which the Worker says how a payment stands, one at a time. It notices a line that went dead: phones
 * that sleep and networks that change leave sockets behind that look open for minutes.
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

  /** Whether news come by it: something did, and it is open still. */
  get isLive(): boolean {
    return this.#hasReceived && this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Opens it unless it is, or is about to be; `signal` ends what is under way. */
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

  /** The shopper or the network was away: a socket that does not answer now is gone. */
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
