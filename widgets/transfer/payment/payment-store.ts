import type {Payment} from '../../../worker/contract/browser/answers.ts';
import {onVisible, backoff} from '../../core/async.ts';
import {toProblem, type Problem} from '../../core/problem.ts';
import {PENDING, type QueryLike, type QueryResult} from '../../core/query.ts';
import {Store} from '../../core/store.ts';
import {isSettled} from '../purchase/order-client.ts';
import {isPayment, PaymentSocket} from './payment-client.ts';

/** Where the store learns of the payment. */
export interface PaymentSource {
  read(signal: AbortSignal): Promise<Payment>;
  openSocket(signal: AbortSignal): Promise<WebSocket>;
  /** The shopper wants what failed to be tried again. */
  retry(): void;
  /** How the payment stands now. */
  onPayment(payment: Payment): void;
}

/** What a payment says, whenever it was read. */
function fingerprint(payment: Payment): string {
  return JSON.stringify({...payment, as_of: undefined});
}

/** Whether it is asked about no more, unless the shopper comes back: money may still come for an expired one. */
export function isFinal(payment: Payment | undefined): boolean {
  return isSettled(payment) && payment.state !== 'expired';
}

/** A socket that said nothing for so long is taken for blocked, and reading begins beside it. */
const SOCKET_TIMEOUT_MS = 4_000;
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
export class PaymentStore extends Store implements QueryLike<Payment> {
  #result: QueryResult<Payment> = PENDING;
  #connectionProblem: Problem | undefined;
  #lifetime: AbortController | undefined;
  #isReading = false;
  #unchangedReads = 0;
  #failureCount = 0;
  /** On the clock that only runs forward: nothing is asked before it. */
  #notBefore = 0;
  #connectAttempts = 0;
  #readTimer: ReturnType<typeof setTimeout> | undefined;
  #connectTimer: ReturnType<typeof setTimeout> | undefined;
  #unsubscribeVisible: (() => void) | undefined;
  readonly #socket: PaymentSocket;

  constructor(readonly source: PaymentSource) {
    super();
    this.#socket = new PaymentSocket((signal) => source.openSocket(signal), {
      onMessage: (text) => this.#onMessage(text),
      onClosed: (hasReceived) => this.#onSocketClosed(hasReceived),
      onOpenFailed: (problem) => this.#onConnectFailed(problem),
    });
  }

  get result(): QueryResult<Payment> {
    return this.#result;
  }

  get value(): Payment | undefined {
    return this.#result.status === 'done' ? this.#result.value : undefined;
  }

  /** What the last attempt to learn of news met, while the last answer is still shown. */
  get connectionProblem(): Problem | undefined {
    return this.#connectionProblem;
  }

  /** Asks now, because the shopper wants to know. */
  reload(): void {
    this.source.retry();
    this.#failureCount = 0;
    if (this.#result.status === 'failed') this.#result = PENDING;
    // What cannot be asked again by itself has ended the watch.
    if (this.isActive && !this.#lifetime) this.start();
    else this.#onVisible();
    this.notify();
  }

  /** Forgets everything: another session is followed from here on. */
  reset(): void {
    this.#result = PENDING;
    this.#connectionProblem = undefined;
    this.stop();
    if (this.isActive) this.start();
    this.notify();
  }

  protected override start(): void {
    this.#lifetime = new AbortController();
    this.#failureCount = this.#unchangedReads = this.#connectAttempts = 0;
    this.#unsubscribeVisible = onVisible(() => this.#onVisible());
    this.#connect();
    this.#readIn(SOCKET_TIMEOUT_MS);
  }

  protected override stop(): void {
    this.#lifetime?.abort();
    this.#lifetime = undefined;
    this.#isReading = false;
    this.#socket.close();
    this.#unsubscribeVisible?.();
    clearTimeout(this.#readTimer);
    clearTimeout(this.#connectTimer);
  }

  #onVisible(): void {
    this.#unchangedReads = this.#connectAttempts = 0;
    this.#socket.check();
    if (!isFinal(this.value)) this.#connect();
    void this.#read();
  }

  #receive(payment: Payment): void {
    const known = this.value;
    const isNew = !known || fingerprint(known) !== fingerprint(payment);
    const hasChanged = isNew || this.#connectionProblem;
    // Otherwise the one that is known stays: another object means another rendering.
    if (isNew) this.#result = {status: 'done', value: payment};
    if (isNew) this.source.onPayment(payment);
    this.#connectionProblem = undefined;
    this.#failureCount = 0;
    if (hasChanged) this.notify();
    this.#scheduleRead(payment);
  }

  /** The next reading, as the payment stands and by what else brings news. */
  #scheduleRead(payment: Payment): void {
    if (isFinal(payment)) return clearTimeout(this.#readTimer);
    if (this.#socket.isLive) return this.#readIn(SOCKET_CHECK_MS);
    this.#readIn(
      payment.state === 'expired' ? READ_EXPIRED_MS : backoff(this.#unchangedReads++, READ_FROM_MS, READ_TO_MS, 1.25),
    );
  }

  #connect(): void {
    clearTimeout(this.#connectTimer);
    if (this.#lifetime) void this.#socket.connect(this.#lifetime.signal);
  }

  #onConnectFailed(problem: Problem): void {
    this.#fail(problem);
    if (problem.retryable) this.#connectIn(Math.max(problem.retryAfterMs, FAILED_FROM_MS));
  }

  #onMessage(text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // Judged with everything else that is no payment.
    }
    if (!isPayment(value)) return void this.#read();
    this.#connectAttempts = 0;
    this.#receive(value);
  }

  #onSocketClosed(hasReceived: boolean): void {
    if (isFinal(this.value)) return;
    this.#connectIn(0);
    // Where sockets are blocked, reading has its own backoff.
    if (hasReceived || !this.value) void this.#read();
  }

  #connectIn(leastMs: number): void {
    clearTimeout(this.#connectTimer);
    this.#connectTimer = setTimeout(
      () => {
        if (!document.hidden) this.#connect();
      },
      Math.max(leastMs, backoff(this.#connectAttempts++, CONNECT_FROM_MS, CONNECT_TO_MS)),
    );
  }

  #readIn(waitMs: number): void {
    clearTimeout(this.#readTimer);
    this.#readTimer = setTimeout(() => {
      if (!document.hidden) void this.#read();
    }, waitMs);
  }

  async #read(): Promise<void> {
    const lifetime = this.#lifetime;
    if (!lifetime || this.#isReading) return;
    const earlyMs = this.#notBefore - performance.now();
    // Also a timer may be early, by as much as a clock is coarse.
    if (earlyMs > 0) return this.#readIn(earlyMs);
    this.#isReading = true;
    clearTimeout(this.#readTimer);
    try {
      const payment = await this.source.read(lifetime.signal);
      if (lifetime === this.#lifetime) this.#receive(payment);
    } catch (thrown) {
      if (lifetime === this.#lifetime) this.#fail(toProblem(thrown));
    } finally {
      if (lifetime === this.#lifetime) this.#isReading = false;
    }
  }

  #fail(problem: Problem): void {
    const {retryable, retryAfterMs, endsSession} = problem;
    // What has arrived stays true when nobody may ask about it any more.
    if (endsSession && isFinal(this.value)) return this.stop();
    // One failure is not worth a word: phones drop connections whenever they sleep.
    if (this.#failureCount > 0 || !retryable) this.#connectionProblem = problem;
    if (this.#result.status !== 'done' || !retryable) this.#result = {status: 'failed', problem};
    if (retryable) {
      this.#notBefore = performance.now() + retryAfterMs;
      this.#readIn(Math.max(retryAfterMs, backoff(this.#failureCount++, FAILED_FROM_MS, READ_TO_MS)));
    } else {
      this.stop();
    }
    this.notify();
  }
}
