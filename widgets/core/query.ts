import {aborted, onVisible, backoff} from './async.ts';
import {toProblem, type Problem} from './problem.ts';
import {Store} from './store.ts';

/** The state of a query. */
export type QueryResult<T> =
  | {readonly status: 'pending'}
  | {readonly status: 'failed'; readonly problem: Problem}
  | {readonly status: 'done'; readonly value: T};

/** The answer of a query; undefined while there is none. */
export function valueOf<T>(result: QueryResult<T> | undefined): T | undefined {
  return result?.status === 'done' ? result.value : undefined;
}

/** What an element needs to render a query. */
export interface QueryLike<T> {
  readonly result: QueryResult<T>;
  reload(): void;
}

interface QueryOptions {
  /** How long an answer is fresh. By default it never becomes stale. */
  readonly freshMs?: number;
  /**
   * A query that this query depends on. If this query has failed, it is repeated as soon as `after` succeeds. If
   * `after` has failed, a `reload()` of this query also reloads `after`.
   */
  readonly after?: Query<unknown>;
}

export const PENDING = {status: 'pending'} as const;
const RETRY_FROM_MS = 3_000;
/** The longest delay is short, so that the page recovers soon after an outage. */
const RETRY_TO_MS = 15_000;

/**
 * One answer of the Worker, shared by all its subscribers. After a retryable failure, the request is repeated after a
 * growing delay, or immediately when the shopper or the network returns. The request is never repeated before the time
 * in the Worker's `Retry-After`. A stale answer is fetched again; until the new answer arrives, the elements show the
 * stale one.
 */
export class Query<T> extends Store implements QueryLike<T> {
  #result: QueryResult<T> = PENDING;
  #request: AbortController | undefined;
  #failureCount = 0;
  /** No request starts before this time (`performance.now()`). */
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
    return valueOf(this.#result);
  }

  /** Why the last request failed, if there is no answer. */
  get problem(): Problem | undefined {
    return this.#result.status === 'failed' ? this.#result.problem : undefined;
  }

  /** Drops the answer, and fetches it again if there are subscribers. */
  reload(): void {
    const {after} = this.options;
    if (after?.problem) after.reload();
    this.#result = PENDING;
    this.#failureCount = 0;
    this.stop();
    if (this.isActive) this.start();
    this.notify();
  }

  /** Waits for the answer. If the last request has failed, rejects with its problem and does not wait for a retry. */
  wait(signal: AbortSignal): Promise<T> {
    const finished = new AbortController();
    const settled = new Promise<T>((resolve, reject) => {
      const check = () => {
        if (this.#result.status === 'done') resolve(this.#result.value);
        if (this.problem) reject(this.problem);
      };
      finished.signal.addEventListener('abort', this.subscribe(check));
      check();
    });
    return Promise.race([settled, aborted(signal, finished)]).finally(() => finished.abort());
  }

  protected override start(): void {
    this.#unsubscribeVisible = onVisible(() => this.#runWhenAllowed());
    const {after} = this.options;
    this.#unsubscribeAfter = after?.subscribe(() => {
      if (after.value !== undefined && this.problem) this.#runWhenAllowed();
    });
    // Keep an answer that we already have; fetch a new one only if it is stale.
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
    const onDone = (value: T) => this.#settle(request, {status: 'done', value});
    const onFailed = (thrown: unknown) => this.#settle(request, {status: 'failed', problem: toProblem(thrown)});
    try {
      const answer = this.load(request.signal);
      if (answer instanceof Promise) answer.then(onDone, onFailed);
      // An answer that needs no waiting is shown immediately, without a skeleton.
      else onDone(answer);
    } catch (thrown) {
      onFailed(thrown);
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

  /**
   * Fetches the answer after `waitMs`, unless the page is hidden then. If the shopper or the network returns, fetches
   * it then, but not before `leastMs`.
   */
  #scheduleRun(waitMs: number, leastMs: number): void {
    this.#notBefore = performance.now() + leastMs;
    this.#startTimer(waitMs);
  }

  #startTimer(waitMs: number): void {
    clearTimeout(this.#timer);
    // `setTimeout` would treat `Infinity` as 0.
    if (waitMs === Infinity) return;
    this.#timer = setTimeout(() => {
      if (!document.hidden) this.#runWhenAllowed();
    }, waitMs);
  }

  #runWhenAllowed(): void {
    if (this.#request) return;
    const earlyMs = this.#notBefore - performance.now();
    // A timer may fire slightly early, because clocks are coarse.
    if (earlyMs > 0) return this.#startTimer(earlyMs);
    clearTimeout(this.#timer);
    this.#run();
  }
}

/** A file of the elements. An element shows if the file does not load. */
export class FileQuery<T> extends Query<T> {}
