import type {SharedLimit} from '../../config/limits.ts';
import {MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {addCounts, type MetricCounts, refusedLimitOf} from '../../lib/metrics.ts';
import type {Report, Trouble, TroubleReport} from '../../platform/reporter.ts';
import {NO_TABLES, type StoreSchema} from '../migrations.ts';
import type {ObjectStorage} from '../object-storage.ts';

/** How many requests a limit refused. */
export interface LimitRefusals {
  readonly limit: SharedLimit;
  readonly count: number;
}

/** Trouble, and for how long it has been reported. */
export interface ReportedTrouble extends Trouble {
  readonly sinceMs: number;
}

/** What all isolates noticed in the last minutes. */
export interface Notices {
  readonly troubles: readonly ReportedTrouble[];
  /** How often limits refused requests of shoppers, as far as reported. */
  readonly refusals: readonly LimitRefusals[];
}

interface StoredTrouble extends Trouble {
  /** When the trouble was last reported, epoch milliseconds. */
  readonly at: number;
  /** When the trouble was first reported. */
  readonly since: number;
}

interface StoredRefusals {
  readonly limit: string;
  readonly count: number;
  /** The minute in which the requests were refused, in minutes since the epoch. */
  readonly minute: number;
}

export const HEALTH: StoreSchema = {name: 'health', createdOn: 'wake', steps: [NO_TABLES]};
const WRITE_INTERVAL_MS = 10 * SECOND_MS;
/**
 * How long a report counts. Isolates repeat the report of a trouble every minute while the trouble lasts. A report that
 * is not repeated must expire, because an isolate that has ended cannot withdraw its report.
 */
const RETENTION_MS = 5 * MINUTE_MS;

/**
 * What all isolates notice: what they count, and which troubles they have with the platform. `/health`, the doctor and
 * the metrics read it here. All sums are stored in one row. The row is written at most every ten seconds, and always
 * before a monitor reads the sums, so a sum that a monitor has read never becomes smaller. If the object is evicted, up
 * to ten seconds of counts that no monitor has read are lost.
 */
export class Health {
  #sums: Map<string, number> | undefined;
  #writtenAt = -Infinity;
  #isWritten = true;

  constructor(private readonly storage: ObjectStorage) {}

  record({counts, troubles}: Report): void {
    for (const trouble of troubles) this.#recordTrouble(trouble);
    const sums = this.#read();
    addCounts(sums, counts);
    this.#addRefusals(counts);
    this.#isWritten = false;
    if (Date.now() - this.#writtenAt >= WRITE_INTERVAL_MS) this.#write(sums);
  }

  /** The sums since the first report. */
  sums(): MetricCounts {
    const sums = this.#read();
    if (!this.#isWritten) this.#write(sums);
    return Object.fromEntries(sums);
  }

  notices(): Notices {
    const sums = new Map<string, number>();
    for (const {limit, count} of this.#refusals()) sums.set(limit, (sums.get(limit) ?? 0) + count);
    return {
      troubles: this.#troubles().map(({kind, interface: interfaceName, operation, since}) => ({
        kind,
        interface: interfaceName,
        operation,
        sinceMs: Date.now() - since,
      })),
      refusals: [...sums].map(([limit, count]) => ({limit: limit as SharedLimit, count})),
    };
  }

  /** Stores a report of trouble with the platform. Deletes the report when the trouble is no longer `present`. */
  #recordTrouble({kind, interface: interfaceName, operation, present}: TroubleReport): void {
    const isSame = (other: Trouble) =>
      other.kind === kind && other.interface === interfaceName && other.operation === operation;
    const now = Date.now();
    const known = this.#troubles();
    const others = known.filter((other) => !isSame(other));
    if (!present && others.length === known.length) return;
    this.storage.kv.put<StoredTrouble[]>(
      'troubles',
      present
        ? [...others, {kind, interface: interfaceName, operation, at: now, since: known.find(isSame)?.since ?? now}]
        : others,
    );
  }

  /** Refusals are counted once, among the metrics. Those of the last minutes are also kept by minute. */
  #addRefusals(counts: MetricCounts): void {
    const minute = Math.floor(Date.now() / MINUTE_MS);
    const added = Object.entries(counts).flatMap(([series, count]) => {
      const limit = refusedLimitOf(series);
      return limit === null ? [] : [{limit, count, minute}];
    });
    if (added.length === 0) return;
    const stored = this.#refusals();
    for (const {limit, count} of added) {
      const index = stored.findIndex((known) => known.limit === limit && known.minute === minute);
      const before = index < 0 ? 0 : (stored.splice(index, 1)[0]?.count ?? 0);
      stored.push({limit, count: before + count, minute});
    }
    this.storage.kv.put('refusals', stored);
  }

  #refusals(): StoredRefusals[] {
    const oldest = Math.floor((Date.now() - RETENTION_MS) / MINUTE_MS);
    return (this.storage.kv.get<StoredRefusals[]>('refusals') ?? []).filter(({minute}) => minute > oldest);
  }

  #troubles(): StoredTrouble[] {
    return (this.storage.kv.get<StoredTrouble[]>('troubles') ?? []).filter(({at}) => at > Date.now() - RETENTION_MS);
  }

  #read(): Map<string, number> {
    return (this.#sums ??= new Map(Object.entries(this.storage.kv.get<MetricCounts>('sums') ?? {})));
  }

  #write(sums: ReadonlyMap<string, number>): void {
    this.storage.kv.put<MetricCounts>('sums', Object.fromEntries(sums));
    this.#writtenAt = Date.now();
    this.#isWritten = true;
  }
}
