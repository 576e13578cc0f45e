import {onVisible, backoff} from './async.ts';
import {toProblem, type Problem} from './problem.ts';
import {Store} from './store.ts';

/** What is known of an answer: exactly one of three. */
export type QueryResult<T> =
  | {readonly status: 'pending'}
  | {readonly status: 'failed'; readonly problem: Problem}
  | {readonly status: 'done'; readonly value: T};

/** What an element renders: the state of an answer, and a way to ask again. */
export interface QueryLike<T> {
  readonly result: QueryResult<T>;
  reload(): void;
}

interface QueryOptions {
  /** How long an answer is good for; without end where it says nothing. */
  readonly freshMs?: number;
  /** What is asked first, and has to be there: as soon as it is, this is asked again, and both where the shopper tries again. */
  readonly after?: Query<unknown>;
}

export const PENDING = {status: 'pending'} as const;
const RETRY_FROM_MS = 3_000;
/** Who waits through an outage learns soon of its end. */
const RETRY_TO_MS = 15_000;

/**
 * One answer of the Worker, shared by everyone who watches it. What failed and may succeed is asked again: ever
 * more slowly, not before the Worker's `Retry-After`, at once when the shopper or the network returns. An answer that
 * ages is asked for again too, and stays until a newer one is here.
 */
export class Query<T> extends Store implements QueryLike<T> {
  #result: QueryResult<T> = PENDING;
  #request: AbortController | undefined;
  #failureCount = 0;
  /** On the clock that only runs forward: nothing is asked before it. */
  #notBefore = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unsubscribeVisible: (() => void) | undefined;
  #unsubscribeAfter: (() => void) | undefined;

  constructor(
    readonly load: (signal: AbortSignal) => T | Promise<T>,
    readonly options: QueryOptions = {},
  ) {
    super();
  }

  get result(): QueryResult<T> {
    return this.#result;
  }

  get value(): T | undefined {
    return this.#result.status === 'done' ? this.#result.value : undefined;
  }

  /** Forgets the answer and asks again, if anyone is watching. */
  reload(): void {
    const {after} = this.options;
    if (after?.result.status === 'failed') after.reload();
    this.#result = PENDING;
    this.#failureCount = 0;
    this.stop();
    if (this.isActive) this.start();
    this.notify();
  }

  /** Waits for the answer. Fails with what the last attempt met: the next one has its own time. */
  wait(signal: AbortSignal): Promise<T> {
    const finished = new AbortController();
    return new Promise<T>((resolve, reject) => {
      const check = () => {
        const result = this.#result;
        if (result.status === 'done') resolve(result.value);
        if (result.status === 'failed') reject(result.problem);
      };
      finished.signal.addEventListener('abort', this.subscribe(check));
      signal.addEventListener('abort', () => reject(signal.reason), finished);
      if (signal.aborted) reject(signal.reason);
      check();
    }).finally(() => finished.abort());
  }

  protected override start(): void {
    this.#unsubscribeVisible = onVisible(() => this.#runWhenAllowed());
    const {after} = this.options;
    this.#unsubscribeAfter = after?.subscribe(() => {
      if (after.value !== undefined && this.#result.status === 'failed') this.#runWhenAllowed();
    });
    // What is here stays until it has aged.
    if (this.#result.status === 'done') return this.#runWhenAllowed();
    this.#result = PENDING;
    this.#run();
  }

  protected override stop(): void {
    this.#request?.abort();
    this.#request = undefined;
    clearTimeout(this.#timer);
    this.#unsubscribeVisible?.();
    this.#unsubscribeAfter?.();
  }

  #run(): void {
    const request = new AbortController();
    this.#request = request;
    const arrived = (value: T) => this.#settle(request, {status: 'done', value});
    const failed = (thrown: unknown) => this.#settle(request, {status: 'failed', problem: toProblem(thrown)});
    try {
      const answer = this.load(request.signal);
      if (answer instanceof Promise) answer.then(arrived, failed);
      // What is here already is shown at once.
      else arrived(answer);
    } catch (thrown) {
      failed(thrown);
    }
  }

  #settle(request: AbortController, result: Exclude<QueryResult<T>, typeof PENDING>): void {
    if (request !== this.#request) return;
    this.#request = undefined;
    if (result.status === 'failed') {
      if (this.#result.status !== 'done') this.#result = result;
      this.#retryLater(result.problem);
    } else {
      this.#result = result;
      this.#failureCount = 0;
      const {freshMs = Infinity} = this.options;
      this.#scheduleRun(freshMs, freshMs);
    }
    this.notify();
  }

  #retryLater({retryable, retryAfterMs}: Problem): void {
    if (!retryable) return this.#scheduleRun(Infinity, Infinity);
    this.#scheduleRun(Math.max(retryAfterMs, backoff(this.#failureCount++, RETRY_FROM_MS, RETRY_TO_MS)), retryAfterMs);
  }

  /** Asks after a wait; sooner, but not before `leastMs`, when the shopper or the network returns. */
  #scheduleRun(waitMs: number, leastMs: number): void {
    this.#notBefore = performance.now() + leastMs;
    this.#startTimer(waitMs);
  }

  #startTimer(waitMs: number): void {
    clearTimeout(this.#timer);
    // A wait without end is none that a timer knows.
    if (waitMs === Infinity) return;
    this.#timer = setTimeout(() => {
      if (!document.hidden) this.#runWhenAllowed();
    }, waitMs);
  }

  #runWhenAllowed(): void {
    if (this.#request) return;
    const earlyMs = this.#notBefore - performance.now();
    // Also a timer may be early, by as much as a clock is coarse.
    if (earlyMs > 0) return this.#startTimer(earlyMs);
    clearTimeout(this.#timer);
    this.#run();
  }
}
