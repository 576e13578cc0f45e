import type {Payment} from '../../worker/contract/browser.ts';
import {isPayment, isSettled} from './payment-answers.ts';
import {pace} from './pace.ts';
import {toProblem, type Problem} from './problem.ts';
import {PENDING, type Answer, type Remote} from './resource.ts';
import {onWake} from './wake.ts';
import {Watched} from './watched.ts';

/** Where the watch learns of the payment. */
export interface PaymentSource {
  read(signal: AbortSignal): Promise<Payment>;
  open(signal: AbortSignal): Promise<WebSocket>;
}

/** What a payment says, whenever it was read. */
function told(payment: Payment): string {
  return JSON.stringify({...payment, as_of: undefined});
}

/** A socket that said nothing for so long is taken for blocked, and reading begins beside it. */
const SOCKET_PATIENCE_MS = 4_000;
/** A socket may die without a word: as often as this its news is checked by reading. */
const SOCKET_CHECK_MS = 120_000;
const READ_FROM_MS = 3_000;
const READ_TO_MS = 15_000;
const FAILED_FROM_MS = 3_000;
const CONNECT_FROM_MS = 1_000;
const CONNECT_TO_MS = 60_000;

/**
 * Follows a payment: through a socket where one can be had, by reading where not. Hidden pages do not read,
 * failures are answered with ever longer pauses, and a settled payment is not asked about again.
 */
export class PaymentWatch extends Watched implements Answer<Payment> {
  #state: Remote<Payment> = PENDING;
  #trouble: Problem | undefined;
  #life: AbortController | undefined;
  #socket: WebSocket | undefined;
  /** Whether the present socket, or the last one, brought news. */
  #heard = false;
  #reading = false;
  #quietReads = 0;
  #failures = 0;
  #notBefore = 0;
  #connects = 0;
  #nextRead: ReturnType<typeof setTimeout> | undefined;
  #nextConnect: ReturnType<typeof setTimeout> | undefined;
  #sleep: (() => void) | undefined;

  constructor(readonly source: PaymentSource) {
    super();
  }

  get state(): Remote<Payment> {
    return this.#state;
  }

  get value(): Payment | undefined {
    return this.#state.status === 'done' ? this.#state.value : undefined;
  }

  /** What the last attempt to learn of news met, while the last answer is still shown. */
  get trouble(): Problem | undefined {
    return this.#trouble;
  }

  /** Asks now, because the shopper wants to know. */
  reload(): void {
    this.#failures = 0;
    if (this.#state.status === 'failed') this.#state = PENDING;
    // What cannot be asked again by itself has ended the watch.
    if (this.running && !this.#life) this.start();
    else this.#wake();
    this.changed();
  }

  /** Forgets everything: another session is followed from here on. */
  reset(): void {
    this.#state = PENDING;
    this.#trouble = undefined;
    this.stop();
    if (this.running) this.start();
    this.changed();
  }

  protected override start(): void {
    this.#life = new AbortController();
    this.#failures = this.#quietReads = this.#connects = 0;
    this.#sleep = onWake(() => this.#wake());
    void this.#connect();
    this.#readIn(SOCKET_PATIENCE_MS);
  }

  protected override stop(): void {
    this.#life?.abort();
    this.#life = undefined;
    this.#reading = false;
    this.#hangUp();
    this.#sleep?.();
    clearTimeout(this.#nextRead);
    clearTimeout(this.#nextConnect);
  }

  #wake(): void {
    if (!this.#life) return;
    this.#quietReads = this.#connects = 0;
    if (!this.#socket && !isSettled(this.value)) void this.#connect();
    void this.#read();
  }

  #receive(payment: Payment): void {
    const known = this.value;
    const isNew = !known || told(known) !== told(payment);
    const news = isNew || this.#trouble;
    // Otherwise the one that is known stays: to be another object is to be news.
    if (isNew) this.#state = {status: 'done', value: payment};
    this.#trouble = undefined;
    this.#failures = 0;
    if (news) this.changed();
  }

  async #connect(): Promise<void> {
    clearTimeout(this.#nextConnect);
    const life = this.#life;
    let socket: WebSocket;
    try {
      if (!life) return;
      socket = await this.source.open(life.signal);
    } catch (thrown) {
      if (life !== this.#life || life?.signal.aborted) return;
      const problem = toProblem(thrown);
      this.#fail(problem);
      if (problem.retryable) this.#connectIn(Math.max(problem.retryAfterMs, FAILED_FROM_MS));
      return;
    }
    if (life !== this.#life || this.#socket) return socket.close();
    this.#socket = socket;
    socket.addEventListener('message', ({data}) => this.#onMessage(data));
    socket.addEventListener('close', () => {
      if (socket === this.#socket) this.#onClose();
    });
  }

  #onMessage(data: unknown): void {
    let value: unknown;
    try {
      value = JSON.parse(String(data));
    } catch {
      // Judged with everything else that is no payment.
    }
    if (!isPayment(value)) return void this.#read();
    this.#connects = 0;
    this.#heard = true;
    this.#receive(value);
    if (isSettled(value)) clearTimeout(this.#nextRead);
    else this.#readIn(SOCKET_CHECK_MS);
  }

  #onClose(): void {
    this.#socket = undefined;
    if (isSettled(this.value)) return;
    this.#connectIn(0);
    // Where sockets are blocked, reading has its own pace.
    if (this.#heard || !this.value) void this.#read();
    this.#heard = false;
  }

  #connectIn(leastMs: number): void {
    clearTimeout(this.#nextConnect);
    this.#nextConnect = setTimeout(
      () => {
        if (!document.hidden) void this.#connect();
      },
      Math.max(leastMs, pace(this.#connects++, CONNECT_FROM_MS, CONNECT_TO_MS)),
    );
  }

  #hangUp(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  #readIn(waitMs: number): void {
    clearTimeout(this.#nextRead);
    this.#nextRead = setTimeout(() => {
      if (!document.hidden) void this.#read();
    }, waitMs);
  }

  async #read(): Promise<void> {
    const life = this.#life;
    if (!life || this.#reading || performance.now() < this.#notBefore) return;
    this.#reading = true;
    clearTimeout(this.#nextRead);
    try {
      const payment = await this.source.read(life.signal);
      if (life !== this.#life) return;
      this.#receive(payment);
      if (isSettled(payment)) return;
      this.#readIn(this.#live ? SOCKET_CHECK_MS : pace(this.#quietReads++, READ_FROM_MS, READ_TO_MS, 1.25));
    } catch (thrown) {
      if (life === this.#life) this.#fail(toProblem(thrown));
    } finally {
      if (life === this.#life) this.#reading = false;
    }
  }

  get #live(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  #fail(problem: Problem): void {
    // One failure is not worth a word: phones drop connections whenever they sleep.
    if (this.#failures > 0 || !problem.retryable) this.#trouble = problem;
    if (this.#state.status !== 'done' || !problem.retryable) this.#state = {status: 'failed', problem};
    if (problem.retryable) {
      this.#notBefore = performance.now() + problem.retryAfterMs;
      this.#readIn(Math.max(problem.retryAfterMs, pace(this.#failures++, FAILED_FROM_MS, READ_TO_MS)));
    } else {
      this.stop();
    }
    this.changed();
  }
}
