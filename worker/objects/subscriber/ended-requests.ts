/** How requests for a subscription ended in the last ten minutes, each under an HMAC: it cannot be read, only known again. */

import {PIN_MS} from './sent-pins.ts';

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
