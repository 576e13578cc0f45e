import {SECOND_MS} from '../lib/durations.ts';
import {addCounts, type MetricCounts} from '../lib/metrics.ts';
import {NO_TABLES, type StoreSchema} from './migrations.ts';
import {StoredObject} from './stored-object.ts';

const METRICS: StoreSchema = {name: 'metrics', createdOn: 'wake', steps: [NO_TABLES]};
const WRITE_INTERVAL_MS = 10 * SECOND_MS;

/**
 * The sums of what all isolates counted. All sums are stored in one row. The row is written at most every ten seconds,
 * and always before a monitor reads the sums, so a sum that a monitor has read never becomes smaller. If the object is
 * evicted, up to ten seconds of counts that no monitor has read are lost.
 */
export class Metrics extends StoredObject {
  static override readonly schemas = [METRICS];

  #sums: Map<string, number> | undefined;
  #writtenAt = -Infinity;
  #isWritten = true;

  add(counts: MetricCounts): void {
    const sums = this.#read();
    addCounts(sums, counts);
    this.#isWritten = false;
    if (Date.now() - this.#writtenAt >= WRITE_INTERVAL_MS) this.#write(sums);
  }

  /** The sums since the first report. */
  sums(): MetricCounts {
    const sums = this.#read();
    if (!this.#isWritten) this.#write(sums);
    return Object.fromEntries(sums);
  }

  #read(): Map<string, number> {
    return (this.#sums ??= new Map(Object.entries(this.ctx.storage.kv.get<MetricCounts>('sums') ?? {})));
  }

  #write(sums: ReadonlyMap<string, number>): void {
    this.ctx.storage.kv.put<MetricCounts>('sums', Object.fromEntries(sums));
    this.#writtenAt = Date.now();
    this.#isWritten = true;
  }
}
