/** How requests for a subscription ended in the last ten minutes, each under an HMAC: it cannot be read, only known again. */

import {PIN_MS} from './sent-pins.ts';
import type {Sought} from './subscription-lookup.ts';

/** As long as what is asked with may count. */
const OUTCOME_RETENTION_MS = PIN_MS;

/** A request by the secret that names it now, and by the ones that did before. */
export type RequestIds = readonly [string, ...string[]];

export interface Ended {
  readonly request: string;
  readonly at: number;
  /** When it was first asked for. */
  readonly since: number;
  readonly outcome: 'subscribed' | 'unknown';
}

export class EndedRequests {
  constructor(private readonly kv: SyncKvStorage) {}

  find(ids: RequestIds): Ended | undefined {
    return this.#all().find(({request, at}) => ids.includes(request) && at > Date.now() - OUTCOME_RETENTION_MS);
  }

  keep(request: string, outcome: Ended['outcome'], since: number): void {
    this.kv.put<Ended[]>('ended', [{request, at: Date.now(), since, outcome}, ...this.#beside(request)]);
  }

  /** It came to nothing. */
  forget(request: string): void {
    this.kv.put<Ended[]>('ended', this.#beside(request));
  }

  #beside(request: string): Ended[] {
    return this.#all().filter((one) => one.request !== request && one.at > Date.now() - OUTCOME_RETENTION_MS);
  }

  #all(): Ended[] {
    return this.kv.get<Ended[]>('ended') ?? [];
  }
}

/**
 * Subscriptions that were asked for and that nobody answered for: what is needed to look for them, a quarter of an hour at
 * most. It is the only place where a number is written down, for it is what mobile billing can be asked by.
 */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** Longer than any request takes: the object may be cut off while one is on its way. */
const WATCHED_MS = MINUTE_MS;
/** Before each look. They are few: mobile billing may be searched a thousand times a day. */
const PAUSES_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS];

/** What the merchant is told of it. */
export interface Start {
  readonly product: number;
  readonly trackingId: string;
  readonly sought: Sought;
}

export interface UnknownStart extends Start {
  /** As `EndedRequests` names it. */
  readonly request: string;
  readonly looks: number;
  /** Epoch milliseconds. */
  readonly dueAt: number;
}

export class UnknownStarts {
  constructor(private readonly kv: SyncKvStorage) {}

  /** It is about to be sent. One that was sent before is looked for as it was. */
  watch(request: string, start: Start): void {
    if (!this.has(request)) this.#put([...this.#all(), {request, ...start, looks: 0, dueAt: Date.now() + WATCHED_MS}]);
  }

  /** Nobody answered for it, or a look did not find it. After the last look it is forgotten. */
  plan(request: string, looks: number): void {
    const pauseMs = PAUSES_MS[looks];
    if (pauseMs === undefined) return this.forget(request);
    const later = (one: UnknownStart): UnknownStart => ({...one, looks, dueAt: Date.now() + pauseMs});
    this.#put(this.#all().map((one) => (one.request === request ? later(one) : one)));
  }

  /** It came to nothing. */
  forget(request: string): void {
    this.#put(this.#all().filter((one) => one.request !== request));
  }

  /** A subscription to a product began: another of the same number was none, or it would have been refused. */
  forgetAll(product: number): void {
    this.#put(this.#all().filter((one) => one.product !== product));
  }

  has(request: string): boolean {
    return this.#all().some((one) => one.request === request);
  }

  due(now: number): UnknownStart[] {
    return this.#all().filter(({dueAt}) => dueAt <= now);
  }

  nextDueAt(): number | null {
    const all = this.#all();
    return all.length > 0 ? Math.min(...all.map(({dueAt}) => dueAt)) : null;
  }

  #all(): UnknownStart[] {
    return this.kv.get<UnknownStart[]>('unknownStarts') ?? [];
  }

  #put(starts: readonly UnknownStart[]): void {
    if (starts.length > 0) this.kv.put('unknownStarts', starts);
    else this.kv.delete('unknownStarts');
  }
}
