import {onWake, pace} from './async.ts';
import {toProblem, type Problem} from './problem.ts';
import {Watched} from './store.ts';

/** What is known of an answer: exactly one of three. */
export type Remote<T> =
  | {readonly status: 'pending'}
  | {readonly status: 'failed'; readonly problem: Problem}
  | {readonly status: 'done'; readonly value: T};

/** What an element renders: the state of an answer, and a way to ask again. */
export interface Answer<T> {
  readonly state: Remote<T>;
  reload(): void;
}

interface ResourceOptions {
  /** How long an answer is good for; without end where it says nothing. */
  readonly freshMs?: number;
  /** What is asked first, and has to be there: as soon as it is, this is asked again, and both where the shopper tries again. */
  readonly after?: Resource<unknown>;
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
export class Resource<T> extends Watched implements Answer<T> {
  #state: Remote<T> = PENDING;
  #request: AbortController | undefined;
  #failures = 0;
  /** On the clock that only runs forward: nothing is asked before it. */
  #notBefore = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #sleep: (() => void) | undefined;
  #leave: (() => void) | undefined;

  constructor(
    readonly ask: (signal: AbortSignal) => T | Promise<T>,
    readonly options: ResourceOptions = {},
  ) {
    super();
  }

  get state(): Remote<T> {
    return this.#state;
  }

  get value(): T | undefined {
    return this.#state.status === 'done' ? this.#state.value : undefined;
  }

  /** Forgets the answer and asks again, if anyone is watching. */
  reload(): void {
    const {after} = this.options;
    if (after?.state.status === 'failed') after.reload();
    this.#state = PENDING;
    this.#failures = 0;
    this.stop();
    if (this.running) this.start();
    this.changed();
  }

  /** Waits for the answer. Fails with what the last attempt met: the next one has its own time. */
  wait(signal: AbortSignal): Promise<T> {
    const over = new AbortController();
    return new Promise<T>((resolve, reject) => {
      const look = () => {
        const state = this.#state;
        if (state.status === 'done') resolve(state.value);
        if (state.status === 'failed') reject(state.problem);
      };
      over.signal.addEventListener('abort', this.watch(look));
      signal.addEventListener('abort', () => reject(signal.reason), over);
      if (signal.aborted) reject(signal.reason);
      look();
    }).finally(() => over.abort());
  }

  protected override start(): void {
    this.#sleep = onWake(() => this.#again());
    const {after} = this.options;
    this.#leave = after?.watch(() => {
      if (after.value !== undefined && this.#state.status === 'failed') this.#again();
    });
    // What is here stays until it has aged.
    if (this.#state.status === 'done') return this.#again();
    this.#state = PENDING;
    this.#run();
  }

  protected override stop(): void {
    this.#request?.abort();
    this.#request = undefined;
    clearTimeout(this.#retry);
    this.#sleep?.();
    this.#leave?.();
  }

  #run(): void {
    const request = new AbortController();
    this.#request = request;
    const arrived = (value: T) => this.#settle(request, {status: 'done', value});
    const failed = (thrown: unknown) => this.#settle(request, {status: 'failed', problem: toProblem(thrown)});
    try {
      const answer = this.ask(request.signal);
      if (answer instanceof Promise) answer.then(arrived, failed);
      // What is here already is shown at once.
      else arrived(answer);
    } catch (thrown) {
      failed(thrown);
    }
  }

  #settle(request: AbortController, state: Exclude<Remote<T>, typeof PENDING>): void {
    if (request !== this.#request) return;
    this.#request = undefined;
    if (state.status === 'failed') {
      if (this.#state.status !== 'done') this.#state = state;
      this.#retryLater(state.problem);
    } else {
      this.#state = state;
      this.#failures = 0;
      const {freshMs = Infinity} = this.options;
      this.#againIn(freshMs, freshMs);
    }
    this.changed();
  }

  #retryLater({retryable, retryAfterMs}: Problem): void {
    if (!retryable) return this.#againIn(Infinity, Infinity);
    this.#againIn(Math.max(retryAfterMs, pace(this.#failures++, RETRY_FROM_MS, RETRY_TO_MS)), retryAfterMs);
  }

  /** Asks after a wait; sooner, but not before `leastMs`, when the shopper or the network returns. */
  #againIn(waitMs: number, leastMs: number): void {
    this.#notBefore = performance.now() + leastMs;
    this.#wakeIn(waitMs);
  }

  #wakeIn(waitMs: number): void {
    clearTimeout(this.#retry);
    // A wait without end is none that a timer knows.
    if (waitMs === Infinity) return;
    this.#retry = setTimeout(() => {
      if (!document.hidden) this.#again();
    }, waitMs);
  }

  #again(): void {
    if (this.#request) return;
    const earlyMs = this.#notBefore - performance.now();
    // Also a timer may be early, by as much as a clock is coarse.
    if (earlyMs > 0) return this.#wakeIn(earlyMs);
    clearTimeout(this.#retry);
    this.#run();
  }
}
