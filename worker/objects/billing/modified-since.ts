/** Searches mobile billing for records that changed since a moment (`docs/spec/subscriptions.md`, section 2.5). */

import {HOUR_MS} from '../../lib/durations.ts';
import {BILLING_PAGE_LENGTH, spellTime, type TimeSpelling} from '../../platform/habits.ts';

interface StoredSpellings {
  /** The spelling that the platform accepted last. */
  readonly accepted: TimeSpelling;
  /** Whether the next search tries the other spelling. */
  readonly isTrial: boolean;
  /** When the other spelling was last tried; 0 if never. */
  readonly triedAt: number;
}

/** The two spellings of a time, and which of them the platform accepts. */
export class TimeSpellings {
  /** @param key - Where the spellings are stored. */
  constructor(
    private readonly kv: SyncKvStorage,
    private readonly key: string,
  ) {}

  /** Writes a time as the next search sends it. */
  format(ms: number): string {
    return spellTime(ms, this.#next());
  }

  /** Records that the platform accepted the spelling. */
  accept(): void {
    const {isTrial, triedAt} = this.#stored();
    if (isTrial) this.#store({accepted: this.#next(), isTrial: false, triedAt});
  }

  /**
   * Records that the platform refused the spelling. The next search sends the other one. If both were refused within an
   * hour, the spelling stays.
   * @returns whether the next search sends the other spelling.
   */
  refuse(now: number): boolean {
    const {accepted, isTrial, triedAt} = this.#stored();
    if (!isTrial && now - triedAt < HOUR_MS) return false;
    this.#store({accepted, isTrial: !isTrial, triedAt: isTrial ? triedAt : now});
    return true;
  }

  /** Whether the next search tries the other spelling. */
  get isTrial(): boolean {
    return this.#stored().isTrial;
  }

  #next(): TimeSpelling {
    const {accepted, isTrial} = this.#stored();
    return isTrial ? otherSpelling(accepted) : accepted;
  }

  #stored(): StoredSpellings {
    return this.kv.get<StoredSpellings>(this.key) ?? {accepted: 'space', isTrial: false, triedAt: 0};
  }

  #store(spellings: StoredSpellings): void {
    this.kv.put(this.key, spellings);
  }
}

function otherSpelling(spelling: TimeSpelling): TimeSpelling {
  return spelling === 'space' ? 'iso' : 'space';
}

/** Input of a search for one page of the records that changed since a moment. */
export function modifiedSince(
  {since, page}: {readonly since: number; readonly page: number},
  spellings: TimeSpellings,
) {
  return {
    search: [{column: 'modifiedDate', term: spellings.format(since), condition: '>='}],
    // New rows come last, so no row moves to a page that was already read.
    sort: [{column: 'id', asc: true}],
    limit: BILLING_PAGE_LENGTH,
    page,
  };
}

/** Whether this is the last page of such a search. */
export function isLastPage(page: number, {pageCount}: {readonly pageCount: number | null}, rowCount: number): boolean {
  return pageCount === null ? rowCount < BILLING_PAGE_LENGTH : pageCount <= page;
}
