/** Stores the open orders of a sweep, the transactions it has processed, and how far the platform's list was read. */

import {Semaphore} from '../../lib/async.ts';
import {DAY_MS, MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {counterStateOf, type StoredCounter, withOneMore} from '../limits/counter.ts';
import {type StoreSchema, statements} from '../migrations.ts';
import {type ObjectStorage, sqlPart} from '../object-storage.ts';
import type {TrackedOrder, WatchReport} from '../order/order-watchers.ts';
import type {PollStore} from '../service/poller.ts';
import type {Pace} from './pace.ts';
import {completeSince, readUntil} from './rotation.ts';
import {mustStore, newProgress, type SweepProgress} from './sweep-progress.ts';
import {UndeliveredStore} from './undelivered-store.ts';

/** The pages that view orders at this moment. */
export interface Viewers {
  /** When the newest page that awaits money was opened; null when no page awaits money. */
  readonly newestOpenedAt: number | null;
  /** Whether any page views an order, including an order whose money has arrived. */
  readonly isViewed: boolean;
}

/** The order and order code that a transaction names. */
export interface TransactionReference {
  readonly id: string;
  readonly order: string | null;
  readonly code: string | null;
}

/** A transaction that was processed. Its reference is what the last list named. */
export interface SeenTransaction extends TransactionReference {
  /** The order that has the money, as far as the service knows: a list may be older than what an order has read itself. */
  readonly holder: string | null;
  /** When the record that was processed last was asked for, epoch milliseconds. */
  readonly askedAt: number;
  /** Whether a list has shown it. */
  readonly isListed: boolean;
}

/** A tracked order by its code. */
export type CodedOrder = {readonly order: string; readonly code: string};

/** Where an order is in the list of those that wait. */
export interface WaitingPosition {
  readonly registeredAt: number;
  readonly order: string;
}

export const SWEEP: StoreSchema = {
  name: 'sweep',
  createdOn: 'wake',
  steps: [
    statements(
      `CREATE TABLE tracked (
        "order" TEXT PRIMARY KEY, code TEXT, registered_at INTEGER NOT NULL, closes_at INTEGER NOT NULL,
        settled INTEGER NOT NULL DEFAULT 0, opened_at INTEGER NOT NULL DEFAULT 0, viewed_at INTEGER NOT NULL DEFAULT 0, viewed_until INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID`,
      // A new order has no code and no viewer, so it is in neither of these two indexes.
      'CREATE INDEX tracked_code ON tracked (code) WHERE code IS NOT NULL',
      'CREATE INDEX tracked_viewed_until ON tracked (viewed_until) WHERE viewed_until > 0',
      'CREATE INDEX tracked_closes_at ON tracked (closes_at)',
      'CREATE INDEX tracked_registered_at ON tracked (registered_at)',
      'CREATE TABLE seen (id TEXT PRIMARY KEY, "order" TEXT, code TEXT, holder TEXT, asked_at INTEGER NOT NULL, listed INTEGER NOT NULL)',
      // An order that has its money need not be found by it.
      'CREATE INDEX seen_order ON seen ("order") WHERE holder IS NULL',
      'CREATE INDEX seen_code ON seen (code) WHERE holder IS NULL',
      'CREATE TABLE undelivered (id TEXT PRIMARY KEY, item TEXT NOT NULL, due_at INTEGER NOT NULL, failures INTEGER NOT NULL)',
      'CREATE INDEX undelivered_due_at ON undelivered (due_at)',
      'CREATE TABLE closed ("order" TEXT PRIMARY KEY, code TEXT, closed_at INTEGER NOT NULL) WITHOUT ROWID',
      'CREATE INDEX closed_code ON closed (code)',
      'CREATE INDEX closed_closed_at ON closed (closed_at)',
    ),
  ],
};

const ANY_NUMBER = {windowMs: MINUTE_MS, limit: null};

/** How long money is recognized by the code of a wanted order that is closed. The platform may know the code for ever. */
const CLOSED_KEPT_MS = 400 * DAY_MS;

/** How long orders that end are kept while money waits. An order that never answers must not keep others for ever. */
const MAX_WAITING_MS = 8 * DAY_MS;

/** If a page reads the payment again after a pause of this length, its shopper has returned to the page. */
const AWAY_MS = 3 * MINUTE_MS;

/** How many transactions of forgotten persons are known. Each has some 14 digits. */
const MAX_FORGOTTEN = 5_000;

export class SweepStore implements PollStore {
  readonly undelivered: UndeliveredStore;
  /** Deliveries and erasures run one after the other. */
  readonly turns = new Semaphore(1);
  /** How far the lists were read; null until the object first asks after it has woken. */
  #progress: SweepProgress | null = null;
  /** The progress as it is stored. */
  #stored: SweepProgress = newProgress();
  /** Whether a sweep has stored its progress since the object woke. */
  #hasSaved = false;
  /** The viewers, and when they were counted. */
  #counted: {readonly at: number; readonly viewers: Viewers} | null = null;
  /** When the oldest open order was registered; undefined if it must be read. Each write of the object asks for it. */
  #oldest: number | null | undefined;
  #newOrders: StoredCounter = {windowMs: MINUTE_MS, parts: []};

  constructor(private readonly storage: ObjectStorage) {
    this.undelivered = new UndeliveredStore(storage);
  }

  /** The transactions whose senders were forgotten, the last ones: they have no names when they find an order later. */
  forgotten(): readonly string[] {
    return this.storage.kv.get<readonly string[]>('forgotten') ?? [];
  }

  forgetSenders(transactions: readonly string[]): void {
    const all = [...new Set([...this.forgotten(), ...transactions])];
    this.storage.kv.put('forgotten', all.slice(-MAX_FORGOTTEN));
  }

  /**
   * Tracks an order. What is tracked already is never tracked for a shorter time. If sweeps saw transactions of this
   * order before they knew it, they dropped the money. Then the next sweep comes at once, and reads these again.
   */
  trackOrder({order, code, registeredAt, closesAt}: TrackedOrder): void {
    const now = Date.now();
    if (now - registeredAt < MINUTE_MS) this.#newOrders = withOneMore(this.#newOrders, ANY_NUMBER, now);
    this.storage.sql`
      INSERT INTO tracked ("order", code, registered_at, closes_at)
      VALUES (${order}, ${code}, ${registeredAt}, ${closesAt})
      ON CONFLICT ("order") DO UPDATE SET code = coalesce(excluded.code, code),
        registered_at = min(registered_at, excluded.registered_at), closes_at = max(closes_at, excluded.closes_at)`;
    if (this.#oldest !== undefined) this.#oldest = Math.min(registeredAt, this.#oldest ?? Infinity);
    const isPlacedAgain = this.storage.sql`DELETE FROM closed WHERE "order" = ${order} RETURNING 1`.length > 0;
    // No list has these names, so the next list counts as a change. That an order is placed again is so rare that no index
    // finds the money which it had before.
    const seen = this.storage.sql`
      UPDATE seen SET "order" = '', code = '', holder = NULL
      WHERE ("order" = ${order} AND holder IS NULL) OR (code = ${code} AND holder IS NULL)
        ${isPlacedAgain ? sqlPart`OR holder = ${order}` : sqlPart``} RETURNING 1`;
    // `readAgain` is not a part of the progress, because a running sweep will overwrite the progress.
    if (seen.length > 0) this.storage.kv.put('readAgain', true);
  }

  /**
   * Records that a page views the order until `until`. The page counts as opened now if the report says so, or if no
   * page reported a view for a long time. @returns whether the order is tracked.
   */
  recordWatch({order, until, opened, settled}: WatchReport, now: number): boolean {
    const rows = this.storage.sql<{openedAt: number}>`
      UPDATE tracked
      SET opened_at = CASE WHEN ${opened ? 1 : 0} OR viewed_at <= ${now - AWAY_MS} THEN ${now} ELSE opened_at END,
        viewed_at = ${now}, viewed_until = ${until}, settled = ${settled ? 1 : 0}
      WHERE "order" = ${order} RETURNING opened_at AS openedAt`;
    // An attacker cannot cause many such reports, because only paid orders are settled.
    if (settled) this.#counted = null;
    else for (const {openedAt} of rows) this.#addViewer(openedAt, until, now);
    return rows.length > 0;
  }

  /** Adds a viewer to the counted viewers, so that a new page shortens the interval immediately. */
  #addViewer(openedAt: number, until: number, now: number): void {
    if (!this.#counted || until <= now) return;
    const {at, viewers} = this.#counted;
    this.#counted = {at, viewers: {newestOpenedAt: Math.max(openedAt, viewers.newestOpenedAt ?? 0), isViewed: true}};
  }

  /** Records whether all of the order's money has arrived. */
  setSettled(order: string, settled: boolean): void {
    this.#counted = null;
    const value = settled ? 1 : 0;
    this.storage.sql`UPDATE tracked SET settled = ${value} WHERE "order" = ${order} AND settled <> ${value}`;
  }

  /**
   * The pages that view orders now. The pages are counted at most once a second, because every report of a page calls
   * this method. Between two counts, new viewers are added, and viewers that have left are still included.
   */
  viewers(now: number): Viewers {
    if (!this.#counted || Math.abs(now - this.#counted.at) >= SECOND_MS)
      this.#counted = {at: now, viewers: this.#countViewers(now)};
    return this.#counted.viewers;
  }

  /** How many orders the service got in the last minute, as far as the object was awake. */
  newOrders(now: number): number {
    return counterStateOf(this.#newOrders, ANY_NUMBER, now).count;
  }

  #countViewers(now: number): Viewers {
    // SQLite searches the index with the first condition, and reads all rows that meet it.
    const [found] = this.storage.sql<{newest: number | null; views: number}>`
      SELECT max(CASE WHEN settled THEN NULL ELSE opened_at END) AS newest, count(*) AS views
      FROM tracked WHERE viewed_until > ${now} AND viewed_until > 0`;
    return {newestOpenedAt: found?.newest ?? null, isViewed: (found?.views ?? 0) > 0};
  }

  /** While money waits, its order may be one that ends: it was only tracked until its code was confirmed. */
  deleteClosed(until: number): void {
    const end = this.undelivered.dueAt() === null ? until : until - MAX_WAITING_MS;
    const closed = this.storage.sql`DELETE FROM tracked WHERE closes_at <= ${end} RETURNING 1`;
    if (closed.length > 0) this.#oldest = undefined;
  }

  /** Remembers a wanted order that closes. Sweeps look for its money until they have read the time of its end. */
  recordClosed({order, code, closesAt: closedAt}: Omit<TrackedOrder, 'registeredAt'>): void {
    const {sql} = this.storage;
    sql`UPDATE tracked SET closes_at = ${closedAt} WHERE "order" = ${order} AND closes_at > ${closedAt}`;
    sql`INSERT OR REPLACE INTO closed ("order", code, closed_at) VALUES (${order}, ${code}, ${closedAt})`;
    sql`DELETE FROM closed WHERE closed_at <= ${Date.now() - CLOSED_KEPT_MS}`;
  }

  /** Remembers a tracked order that was found to be deleted. @param moneyAt - The time of the money that it did not get. */
  moveToClosed(order: string, moneyAt: number): void {
    this.storage.sql`
      INSERT OR REPLACE INTO closed ("order", code, closed_at)
      SELECT "order", code, min(closes_at, ${moneyAt}) FROM tracked WHERE "order" = ${order}`;
    this.storage.sql`DELETE FROM tracked WHERE "order" = ${order}`;
    this.#oldest = undefined;
  }

  isAnyTracked(): boolean {
    return this.oldestRegisteredAt() !== null;
  }

  /** When the oldest open order was registered; null when no order is open. */
  oldestRegisteredAt(): number | null {
    if (this.#oldest === undefined)
      this.#oldest = this.storage.sql<{at: number | null}>`SELECT min(registered_at) AS at FROM tracked`[0]?.at ?? null;
    return this.#oldest;
  }

  /** The tracked order that a transaction is for, or null. */
  orderFor({order, code}: TransactionReference): string | null {
    const [found] = this.storage.sql<{order: string}>`
      SELECT "order" FROM tracked WHERE "order" = ${order} OR code = ${code} LIMIT 1`;
    return found?.order ?? null;
  }

  /** The tracked orders whose code begins with these characters. */
  byCode(beginning: string, limit: number): CodedOrder[] {
    return this.storage.sql<CodedOrder>`
      SELECT "order", code FROM tracked WHERE code >= ${beginning} AND code < ${`${beginning}\u{10ffff}`}
      ORDER BY code LIMIT ${limit}`;
  }

  /** The orders that await money and have a code, oldest first, after the one at `position`. */
  waiting({registeredAt, order}: WaitingPosition, limit: number): WaitingPosition[] {
    return this.storage.sql<{registeredAt: number; order: string}>`
      SELECT registered_at AS registeredAt, "order" FROM tracked
      WHERE (registered_at, "order") > (${registeredAt}, ${order}) AND code IS NOT NULL AND settled = 0
      ORDER BY registered_at, "order" LIMIT ${limit}`;
  }

  /** The order that a transaction names and that was closed here, so that nobody awaits its money; null if it was not. */
  closedFor({order, code}: Pick<TransactionReference, 'order' | 'code'>): string | null {
    const [found] = this.storage.sql<{order: string}>`
      SELECT "order" FROM closed WHERE "order" = ${order} OR code = ${code} LIMIT 1`;
    return found?.order ?? null;
  }

  /** Undefined if the transaction was never processed. */
  seen(id: string): SeenTransaction | undefined {
    type Row = Omit<SeenTransaction, 'isListed'> & {listed: number};
    const [row] = this.storage.sql<Row>`
      SELECT id, "order", code, holder, asked_at AS askedAt, listed FROM seen WHERE id = ${id}`;
    return row && {...row, isListed: row.listed === 1};
  }

  markSeen({id, order, code, holder, askedAt, isListed}: SeenTransaction): void {
    this.storage.sql`
      INSERT OR REPLACE INTO seen (id, "order", code, holder, asked_at, listed)
      VALUES (${id}, ${order}, ${code}, ${holder}, ${askedAt}, ${isListed ? 1 : 0})`;
  }

  /**
   * Deletes the transactions that were asked for before `at`. The lists begin after `at`, so they cannot contain these
   * transactions. Every row gets a higher `rowid` than the rows before it, so the oldest come first, except for records
   * that waited, which are deleted later. The query reads only the rows that it deletes and one more row, so no index is
   * needed.
   */
  deleteBefore(at: number): void {
    const [kept] = this.storage.sql<{first: number}>`
      SELECT rowid AS first FROM seen WHERE rowid > 0 AND asked_at >= ${at} ORDER BY rowid LIMIT 1`;
    this.storage.sql`DELETE FROM seen WHERE rowid > 0 AND rowid < ${kept?.first ?? Number.MAX_SAFE_INTEGER}`;
  }

  /**
   * How far the lists were read. A sweep changes this object. If `trackOrder` has deleted seen transactions, every list
   * must be read again.
   */
  progress(): SweepProgress {
    const progress = this.#load();
    if (!this.mustReadAgain()) return progress;
    // There is no await between the two writes, so both are stored together.
    this.#progress = {...progress, lists: {}};
    this.saveProgress(this.#progress);
    this.storage.kv.delete('readAgain');
    return this.#progress;
  }

  saveProgress(progress: SweepProgress): void {
    this.storage.kv.put('progress', progress);
    this.#stored = snapshotOf(progress);
    this.#hasSaved = true;
  }

  /** Stores the progress if nothing was stored since the object woke. */
  saveFirst(progress: SweepProgress): void {
    if (!this.#hasSaved) this.saveProgress(progress);
  }

  /** Stores the progress at the end of a sweep if it must be stored. @param intervalMs - The time to the next sweep. */
  saveIfNeeded(intervalMs: number): void {
    const progress = this.#load();
    if (mustStore(this.#stored, progress, intervalMs)) this.saveProgress(progress);
  }

  #load(): SweepProgress {
    if (this.#progress === null) {
      this.#progress = this.storage.kv.get<SweepProgress>('progress') ?? newProgress();
      this.#stored = snapshotOf(this.#progress);
    }
    return this.#progress;
  }

  /** When the last sweep began, perhaps a minute too early. */
  readAt(): number {
    return this.#load().begunAt;
  }

  /** Whether the lists must be read again, because an order awaits money that was on them before. */
  mustReadAgain(): boolean {
    return this.storage.kv.get<boolean>('readAgain') === true;
  }

  /** How many searches the last sweep made, and what slows the next one down. */
  pace(): Pace {
    return this.#load();
  }

  /** Keeps the time in memory. It is stored with the sweep's progress. */
  markReading(now: number): void {
    this.#load().begunAt = now;
  }

  asOf(): number | null {
    return this.#load().asOf;
  }

  /** See `PollStore.readUntil`. */
  readUntil(now: number): number {
    return readUntil(this.#load(), this.oldestRegisteredAt() ?? now, now);
  }

  /** See `Service.hasSearched`. */
  searchedSince({order, code}: Pick<TrackedOrder, 'order' | 'code'>, from: number, now: number): number {
    const isMissing = this.mustReadAgain() || this.undelivered.hasAnyOf(order, code);
    return isMissing ? 0 : completeSince(this.#load(), from, now);
  }
}

/** The progress as it is now. The state of a list is never changed, only replaced. */
function snapshotOf(progress: SweepProgress): SweepProgress {
  return {...progress, lists: {...progress.lists}};
}
