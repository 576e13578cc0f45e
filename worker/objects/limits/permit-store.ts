import type {StoreVersions} from '../migrations.ts';
import {consideredCount, type GuardPermit, type LimitRule} from './guard-rules.ts';
import {COUNTS, type Counts, PERMITS, type StoredPermit} from './guard-store.ts';

/** More permits than this are stored in a table, because each new permit rewrites the whole value. */
const MAX_LISTED = 128;

type Row = {at: number; confirmed: number};

/** The permits of a guard, in one value or, if there are many, in a table. The table stays until the guard is erased. */
export class PermitStore {
  readonly #sql: SqlStorage;

  constructor(
    private readonly storage: DurableObjectStorage,
    private readonly versions: StoreVersions,
  ) {
    this.#sql = storage.sql;
  }

  /** Deletes the permits that were acquired at this time or earlier. */
  deleteUntil(at: number): void {
    // Old permits in the value are deleted when the value is written for another reason.
    if (this.#isInTable()) this.#sql.exec('DELETE FROM permits WHERE at <= ?', at);
  }

  /** Whether the thing with this name has a permit that was acquired after this time. */
  hasName(what: string, after: number): boolean {
    if (!this.#isInTable()) return this.#listed().some((permit) => permit.what === what && permit.at > after);
    return this.#sql.exec('SELECT 1 FROM permits WHERE what = ? AND at > ?', what, after).toArray().length > 0;
  }

  /** The permits that decide whether the rule allows another permit, newest first. */
  newest(rule: LimitRule, now: number): GuardPermit[] {
    const onlyUnconfirmed = rule.kind === 'most' && rule.unconfirmed === true;
    const [after, count] = [now - rule.windowMs, consideredCount(rule)];
    if (!this.#isInTable()) {
      const counted = this.#listed().filter(({at, confirmed}) => at > after && !(onlyUnconfirmed && confirmed));
      return counted.toSorted((a, b) => b.at - a.at || b.id - a.id).slice(0, count);
    }
    const condition = onlyUnconfirmed ? 'AND confirmed = 0' : '';
    const query = `SELECT at, confirmed FROM permits WHERE at > ? ${condition} ORDER BY at DESC, id DESC LIMIT ?`;
    const rows = this.#sql.exec<Row>(query, after, count).toArray();
    return rows.map(({at, confirmed}) => ({at, confirmed: confirmed === 1}));
  }

  /**
   * Adds a permit. @returns the id of the permit, and whether it is the first permit since the guard was erased. If so,
   * the guard needs an alarm.
   */
  add(now: number, what: string | null, retentionMs: number): {readonly id: number; readonly isFirst: boolean} {
    const counts = this.#counts();
    const isFirst = counts === undefined;
    const id = counts?.nextId ?? 1;
    if (this.#isInTable()) {
      if (counts?.retentionMs !== retentionMs) this.#put({version: 1, retentionMs});
      const query = 'INSERT INTO permits (at, what) VALUES (?, ?) RETURNING id';
      return {id: this.#sql.exec<{id: number}>(query, now, what).one().id, isFirst};
    }
    const kept = this.#listed().filter(({at}) => at > now - retentionMs);
    const permits = [...kept, {id, at: now, confirmed: false, ...(what === null ? {} : {what})}];
    if (permits.length > MAX_LISTED) this.#moveToTable(permits, retentionMs);
    else this.#put({version: 1, retentionMs, nextId: id + 1, permits});
    return {id, isFirst};
  }

  remove(id: number): void {
    if (this.#isInTable()) this.#sql.exec('DELETE FROM permits WHERE id = ?', id);
    else this.#change((permits) => permits.filter((permit) => permit.id !== id));
  }

  confirm(id: number): void {
    if (this.#isInTable()) this.#sql.exec('UPDATE permits SET confirmed = 1 WHERE id = ?', id);
    else this.#change((permits) => permits.map((one) => (one.id === id ? {...one, confirmed: true} : one)));
  }

  /** When the newest permit may be deleted; null if there is no permit. */
  expiresAt(): number | null {
    const retentionMs = this.#counts()?.retentionMs;
    if (retentionMs === undefined) return null;
    const times = this.#isInTable()
      ? this.#sql.exec<Row>('SELECT at, confirmed FROM permits ORDER BY at DESC LIMIT 1').toArray()
      : this.#listed();
    return times.length === 0 ? null : Math.max(...times.map(({at}) => at)) + retentionMs;
  }

  #isInTable(): boolean {
    return this.versions.has(PERMITS);
  }

  #counts(): Counts | undefined {
    return this.storage.kv.get<Counts>(COUNTS.key);
  }

  /** Writes the permits. The unpaid orders in the same value stay. */
  #put(counts: Counts): void {
    const {hours} = this.#counts() ?? {};
    this.storage.kv.put<Counts>(COUNTS.key, {...counts, ...(hours && {hours})});
  }

  #listed(): readonly StoredPermit[] {
    return this.#counts()?.permits ?? [];
  }

  #change(change: (permits: readonly StoredPermit[]) => readonly StoredPermit[]): void {
    const counts = this.#counts();
    if (counts?.permits) this.#put({...counts, permits: change(counts.permits)});
  }

  #moveToTable(permits: readonly StoredPermit[], retentionMs: number): void {
    this.versions.transaction(() => {
      this.versions.create(PERMITS);
      for (const {id, at, confirmed, what} of permits) {
        const query = 'INSERT INTO permits (id, at, what, confirmed) VALUES (?, ?, ?, ?)';
        this.#sql.exec(query, id, at, what ?? null, confirmed ? 1 : 0);
      }
      this.#put({version: 1, retentionMs});
    });
  }
}
