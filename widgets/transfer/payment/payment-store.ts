import type {Payment} from '../../../worker/contract/browser/answers.ts';
import {onVisible, backoff} from '../../core/async.ts';
import {logNote, toProblem, unreachableProblem, type Problem} from '../../core/problem.ts';
import {PENDING, valueOf, type QueryLike, type QueryResult} from '../../core/query.ts';
import {Store} from '../../core/store.ts';
import {isPayment, PaymentSocket} from './payment-client.ts';
import {isFinal} from './payment-events.ts';

/** How the store reads the payment. */
export interface PaymentSource {
  read(signal: AbortSignal): Promise<Payment>;
  openSocket(signal: AbortSignal): Promise<WebSocket>;
  /** Called when the shopper presses the retry button. Reloads the session if it failed to load. */
  retry(): void;
  /** Whether a payment is for the order of the session. */
  isOwn(payment: Payment): boolean;
  /** Called with every new result, before the subscribers are. */
  onResult(result: QueryResult<Payment>): void;
}

/** The payment as text, without what changes with each read, to find out whether it has changed. */
function fingerprint(payment: Payment | undefined): string {
  return JSON.stringify({...payment, as_of: undefined, revision: undefined});
}

/** If the socket delivers nothing in this time, polling starts, because the socket may be blocked. */
const SOCKET_TIMEOUT_MS = 4_000;
/** The polling interval while the socket works. */
const SOCKET_CHECK_MS = 480_000;
const READ_FROM_MS = 3_000;
const READ_TO_MS = 15_000;
const READ_EXPIRED_MS = 60_000;
const FAILED_FROM_MS = 3_000;
const CONNECT_FROM_MS = 1_000;
const CONNECT_TO_MS = 60_000;

/**
 * Observes a payment through a socket, and by polling if sockets are blocked. A hidden page does not poll. The delay
 * grows with each failure. Polling stops when the payment is final.
 */
export class PaymentStore extends Store implements QueryLike<Payment> {
  #result: QueryResult<Payment> = PENDING;
  /** The revision of the last answer. */
  #revision = 0;
  #connectionProblem: Problem | undefined;
  #lifetime: AbortController | undefined;
  #isReading = false;
  #unchangedReads = 0;
  #failureCount = 0;
  /** No request starts before this time (`performance.now()`). */
  #notBefore = 0;
  #connectAttempts = 0;
  #readTimer: ReturnType<typeof setTimeout> | undefined;
  #connectTimer: ReturnType<typeof setTimeout> | undefined;
  #unsubscribeVisible: (() => void) | undefined;
  readonly #socket: PaymentSocket;
  /** What elements of this view of the page have announced. */
  readonly #announced = new Set<Payment | string>();

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
    return valueOf(this.#result);
  }

  /**
   * Whether no element has announced this state of the payment, or this order code, to the page since the page shows the
   * payment. Only the first call for it returns true.
   */
  isNews(state: Payment | string): boolean {
    return this.#announced.size < this.#announced.add(state).size;
  }

  /** Whether the payment is final, so that polling stops. */
  get #isFinal(): boolean {
    return this.value !== undefined && isFinal(this.value);
  }

  /** Why the last attempts to update the payment failed. The last known payment is still shown. */
  get connectionProblem(): Problem | undefined {
    return this.#connectionProblem;
  }

  /** Reads the payment now, because the shopper asked for it. */
  reload(): void {
    this.source.retry();
    this.#failureCount = 0;
    if (this.#result.status === 'failed') this.#setResult(PENDING);
    // The store has no lifetime if a failure that is not retryable has stopped it.
    if (this.isActive && !this.#lifetime) this.start();
    else this.#onVisible();
    this.notify();
  }

  /** Drops the payment and reads it again. Called when the purchase has a new session. */
  reset(): void {
    this.#connectionProblem = undefined;
    this.#revision = 0;
    this.stop();
    this.#setResult(PENDING);
    if (this.isActive) this.start();
    this.notify();
  }

  protected override start(): void {
    this.#lifetime = new AbortController();
    this.#failureCount = this.#unchangedReads = this.#connectAttempts = 0;
    this.#unsubscribeVisible = onVisible(() => this.#onVisible());
    // The checkout says when the device is offline.
    for (const type of ['online', 'offline']) addEventListener(type, () => this.notify(), this.#lifetime);
    this.#connect();
    this.#readIn(SOCKET_TIMEOUT_MS);
  }

  protected override stop(): void {
    // The next view of an app is told what it shows. A library that swaps elements adds the new ones in the same task.
    setTimeout(() => this.isActive || this.#announced.clear());
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
    if (!this.#isFinal) this.#connect();
    void this.#read();
  }

  #setResult(result: QueryResult<Payment>): void {
    if (result === this.#result) return;
    this.#result = result;
    this.source.onResult(result);
  }

  /** Whether an answer is older than the last one, or for another order than the session's. */
  #isStale(payment: Payment): boolean {
    return payment.revision < this.#revision || !this.source.isOwn(payment);
  }

  #receive(payment: Payment): void {
    this.#revision = payment.revision;
    const isNew = fingerprint(this.value) !== fingerprint(payment);
    const hasChanged = isNew || this.#connectionProblem;
    this.#connectionProblem = undefined;
    // Keep the same object if nothing has changed, because a new object causes a re-render and an event.
    if (isNew) this.#setResult({status: 'done', value: payment});
    this.#failureCount = 0;
    if (hasChanged) this.notify();
    this.#scheduleRead(payment);
  }

  /** Schedules the next read. The delay depends on the state of the payment and on the socket. */
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
      // The message is handled below, like any other message that is not a payment.
    }
    if (!isPayment(value) || this.#isStale(value)) return void this.#read();
    this.#connectAttempts = 0;
    this.#receive(value);
  }

  #onSocketClosed(hasReceived: boolean): void {
    if (this.#isFinal) return;
    this.#connectIn(0);
    // A socket that never received anything is probably blocked. In that case, polling continues with its own delays.
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
    // A timer may fire slightly early, because clocks are coarse.
    if (earlyMs > 0) return this.#readIn(earlyMs);
    this.#isReading = true;
    clearTimeout(this.#readTimer);
    try {
      const payment = await this.source.read(lifetime.signal);
      if (this.#isStale(payment)) throw unreachableProblem();
      if (lifetime === this.#lifetime) this.#receive(payment);
    } catch (thrown) {
      if (lifetime === this.#lifetime) this.#fail(toProblem(thrown));
    } finally {
      if (lifetime === this.#lifetime) this.#isReading = false;
    }
  }

  #fail(problem: Problem): void {
    const {code, retryable, retryAfterMs, endsSession} = problem;
    if (code === 'unauthorized') logNote('', 'session');
    // If the session has ended, a final payment is still shown.
    if (endsSession && this.#isFinal) return this.stop();
    // Do not report a single failure, because phones drop connections whenever they sleep.
    if (this.#failureCount > 0 || !retryable) this.#connectionProblem = problem;
    if (this.#result.status !== 'done' || !retryable) this.#setResult({status: 'failed', problem});
    if (retryable) {
      this.#notBefore = performance.now() + retryAfterMs;
      this.#readIn(Math.max(retryAfterMs, backoff(this.#failureCount++, FAILED_FROM_MS, READ_TO_MS)));
    } else {
      this.stop();
    }
    this.notify();
  }
}
