import type {Payment} from '../../../worker/contract/browser/answers.ts';
import {onWake, pace} from '../../core/async.ts';
import {toProblem, type Problem} from '../../core/problem.ts';
import {PENDING, type Answer, type Remote} from '../../core/query.ts';
import {Watched} from '../../core/store.ts';
import {isSettled} from '../purchase/validate-order.ts';
import {isPayment} from './payment-client.ts';
import {PaymentSocket} from './payment-socket.ts';

/** Where the watch learns of the payment. */
export interface PaymentSource {
  read(signal: AbortSignal): Promise<Payment>;
  open(signal: AbortSignal): Promise<WebSocket>;
  /** The shopper wants what failed to be tried again. */
  retry(): void;
  /** How the payment stands now. */
  heard(payment: Payment): void;
}

/** What a payment says, whenever it was read. */
function told(payment: Payment): string {
  return JSON.stringify({...payment, as_of: undefined});
}

/** Whether it is asked about no more, unless the shopper comes back: money may still come for an expired one. */
function isOver(payment: Payment | undefined): boolean {
  return isSettled(payment) && payment.state !== 'expired';
}

/** A socket that said nothing for so long is taken for blocked, and reading begins beside it. */
const SOCKET_PATIENCE_MS = 4_000;
/** Beside a socket that lives. */
const SOCKET_CHECK_MS = 480_000;
const READ_FROM_MS = 3_000;
const READ_TO_MS = 15_000;
const READ_EXPIRED_MS = 60_000;
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
  #reading = false;
  #quietReads = 0;
  #failures = 0;
  /** On the clock that only runs forward: nothing is asked before it. */
  #notBefore = 0;
  #connects = 0;
  #nextRead: ReturnType<typeof setTimeout> | undefined;
  #nextConnect: ReturnType<typeof setTimeout> | undefined;
  #sleep: (() => void) | undefined;
  readonly #socket: PaymentSocket;

  constructor(readonly source: PaymentSource) {
    super();
    this.#socket = new PaymentSocket((signal) => source.open(signal), {
      onSaid: (text) => this.#onSaid(text),
      onLost: (heard) => this.#onLost(heard),
      onFailed: (problem) => this.#onConnectFailed(problem),
    });
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
    this.source.retry();
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
    this.#connect();
    this.#readIn(SOCKET_PATIENCE_MS);
  }

  protected override stop(): void {
    this.#life?.abort();
    this.#life = undefined;
    this.#reading = false;
    this.#socket.hangUp();
    this.#sleep?.();
    clearTimeout(this.#nextRead);
    clearTimeout(this.#nextConnect);
  }

  #wake(): void {
    this.#quietReads = this.#connects = 0;
    this.#socket.check();
    if (!isOver(this.value)) this.#connect();
    void this.#read();
  }

  #receive(payment: Payment): void {
    const known = this.value;
    const isNew = !known || told(known) !== told(payment);
    const news = isNew || this.#trouble;
    // Otherwise the one that is known stays: to be another object is to be news.
    if (isNew) this.#state = {status: 'done', value: payment};
    if (isNew) this.source.heard(payment);
    this.#trouble = undefined;
    this.#failures = 0;
    if (news) this.changed();
    this.#plan(payment);
  }

  /** The next reading, as the payment stands and by what else brings news. */
  #plan(payment: Payment): void {
    if (isOver(payment)) return clearTimeout(this.#nextRead);
    if (this.#socket.isLive) return this.#readIn(SOCKET_CHECK_MS);
    this.#readIn(
      payment.state === 'expired' ? READ_EXPIRED_MS : pace(this.#quietReads++, READ_FROM_MS, READ_TO_MS, 1.25),
    );
  }

  #connect(): void {
    clearTimeout(this.#nextConnect);
    if (this.#life) void this.#socket.connect(this.#life.signal);
  }

  #onConnectFailed(problem: Problem): void {
    this.#fail(problem);
    if (problem.retryable) this.#connectIn(Math.max(problem.retryAfterMs, FAILED_FROM_MS));
  }

  #onSaid(text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // Judged with everything else that is no payment.
    }
    if (!isPayment(value)) return void this.#read();
    this.#connects = 0;
    this.#receive(value);
  }

  #onLost(heard: boolean): void {
    if (isOver(this.value)) return;
    this.#connectIn(0);
    // Where sockets are blocked, reading has its own pace.
    if (heard || !this.value) void this.#read();
  }

  #connectIn(leastMs: number): void {
    clearTimeout(this.#nextConnect);
    this.#nextConnect = setTimeout(
      () => {
        if (!document.hidden) this.#connect();
      },
      Math.max(leastMs, pace(this.#connects++, CONNECT_FROM_MS, CONNECT_TO_MS)),
    );
  }

  #readIn(waitMs: number): void {
    clearTimeout(this.#nextRead);
    this.#nextRead = setTimeout(() => {
      if (!document.hidden) void this.#read();
    }, waitMs);
  }

  async #read(): Promise<void> {
    const life = this.#life;
    if (!life || this.#reading) return;
    const earlyMs = this.#notBefore - performance.now();
    // Also a timer may be early, by as much as a clock is coarse.
    if (earlyMs > 0) return this.#readIn(earlyMs);
    this.#reading = true;
    clearTimeout(this.#nextRead);
    try {
      const payment = await this.source.read(life.signal);
      if (life === this.#life) this.#receive(payment);
    } catch (thrown) {
      if (life === this.#life) this.#fail(toProblem(thrown));
    } finally {
      if (life === this.#life) this.#reading = false;
    }
  }

  #fail(problem: Problem): void {
    const {retryable, retryAfterMs, endsSession} = problem;
    // What has arrived stays true when nobody may ask about it any more.
    if (endsSession && isOver(this.value)) return this.stop();
    // One failure is not worth a word: phones drop connections whenever they sleep.
    if (this.#failures > 0 || !retryable) this.#trouble = problem;
    if (this.#state.status !== 'done' || !retryable) this.#state = {status: 'failed', problem};
    if (retryable) {
      this.#notBefore = performance.now() + retryAfterMs;
      this.#readIn(Math.max(retryAfterMs, pace(this.#failures++, FAILED_FROM_MS, READ_TO_MS)));
    } else {
      this.stop();
    }
    this.changed();
  }
}
