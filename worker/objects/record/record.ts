import {HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import {NO_TABLES, type StoreSchema} from '../migrations.ts';
import type {StandingTask} from '../schedule.ts';
import {StoredObject} from '../stored-object.ts';
import {
  beginAttempt,
  type BeginResult,
  isAnsweredBy,
  isReleasedBy,
  type LedgerEntry,
  type StoredAnswer,
  type WriteRequest,
} from './ledger.ts';
import type {SessionDetails} from './session-details.ts';

interface Kept {
  readonly what: LedgerEntry | SessionDetails;
  /** When it is deleted, epoch milliseconds. */
  readonly until: number;
}

const RECORD: StoreSchema = {name: 'record', createdOn: 'first key', steps: [NO_TABLES]};
const KEY = 'kept';

/** How long the outcome of a write is kept. */
const WRITE_RETENTION_MS = 72 * HOUR_MS;

/**
 * Keeps one thing for a time, and then deletes itself. The object's name cannot be guessed. It keeps
 * - the write that has one `Idempotency-Key`, and its answer. An attempt is stored before anything is sent, so that a
 *   write whose end is unknown is never run again with its key;
 * - or the details of a session, until the session ends;
 * - or for a few minutes, what pages show of a subscription;
 * - or that a session of the desk has ended, until it would have ended anyway.
 */
export class Record extends StoredObject {
  static override readonly schemas = [RECORD];

  readonly #end: StandingTask = {
    retry: {firstMs: MINUTE_MS, maxMs: HOUR_MS},
    dueAt: () => this.#kept()?.until ?? null,
    // The whole database is deleted, because an object still takes 12 kB after its keys were deleted one by one.
    run: () => this.erase(),
  };
  protected override readonly tasks = {end: this.#end};

  /** Begins an attempt, or returns the state of an earlier attempt. */
  beginWrite(request: WriteRequest): BeginResult {
    const now = Date.now();
    const next = beginAttempt(this.#write()?.entry ?? null, request, now);
    if ('state' in next) return next;
    this.#keep({what: next, until: now + WRITE_RETENTION_MS});
    return {state: 'begun', attempt: next.attempts[0].id, writeId: next.writeId};
  }

  /** Stores the answer for later requests with the key. */
  finishWrite(attempt: string, answer: StoredAnswer): void {
    const write = this.#write();
    if (write && isAnsweredBy(write.entry, attempt)) this.#keep({what: {...write.entry, answer}, until: write.until});
  }

  /** Replaces an answer that has become useless. The time at which the entry is deleted does not change. */
  renewAnswer(fingerprint: string, answer: StoredAnswer): void {
    const write = this.#write();
    if (write?.entry.answer && write.entry.fingerprint === fingerprint)
      this.#keep({what: {...write.entry, answer}, until: write.until});
  }

  /** Allows the key to be used again, because the attempt changed nothing; see `isReleasedBy`. */
  async releaseWrite(attempt: string): Promise<void> {
    const write = this.#write();
    if (write && isReleasedBy(write.entry, attempt)) await this.erase();
  }

  /** @param until - When the session ends and the details are deleted, epoch milliseconds. */
  saveDetails(details: SessionDetails, until: number): void {
    this.#keep({what: details, until});
  }

  /** Returns null after the session has ended. */
  readDetails(): SessionDetails | null {
    const what = this.#living()?.what;
    return what === undefined || what.kind === 'write' ? null : what;
  }

  forgetDetails(): Promise<void> {
    return this.erase();
  }

  #write(): {readonly entry: LedgerEntry; readonly until: number} | null {
    const kept = this.#living();
    return kept?.what.kind === 'write' ? {entry: kept.what, until: kept.until} : null;
  }

  #living(): Kept | undefined {
    const kept = this.#kept();
    return kept && Date.now() < kept.until ? kept : undefined;
  }

  #kept(): Kept | undefined {
    return this.storage.kv.get<Kept>(KEY);
  }

  #keep(kept: Kept): void {
    this.storage.versions.create(RECORD);
    this.storage.kv.put(KEY, kept);
  }
}
