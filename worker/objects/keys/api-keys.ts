import type {ServiceLimit} from '../../config/service-limit.ts';
import type {Scope} from '../../contract/merchant/scopes.ts';
import {DAY_MS} from '../../lib/durations.ts';
import type {StoreSchema} from '../migrations.ts';
import {newRow} from '../object-storage.ts';
import {StoredObject} from '../stored-object.ts';
import type {KeyIdentity} from './key-text.ts';

/** An API key as the merchant sees it. The key itself is not stored. */
export interface KeyRecord {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly services: ServiceLimit;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** The last day, in Turkey, on which the key was used: `YYYY-MM-DD`. */
  readonly lastUsedDay: string | null;
  readonly revokedAt: number | null;
}

/** What the Worker needs to recognize a key. */
export interface UsableKey extends KeyIdentity {
  readonly scopes: readonly Scope[];
  readonly services: ServiceLimit;
  readonly lastUsedDay: string | null;
}

type Row = {
  id: string;
  name: string;
  scopes: string;
  /** JSON; null for all services. */
  services: string | null;
  digest: string;
  created_at: number;
  last_used_day: string | null;
  revoked_at: number | null;
};

const API_KEYS: StoreSchema = {
  name: 'api_keys',
  // Anybody can send text with the shape of a key, which wakes the object.
  createdOn: 'first write',
  steps: [
    `CREATE TABLE api_keys (id TEXT PRIMARY KEY, name TEXT NOT NULL, scopes TEXT NOT NULL, services TEXT,
      digest TEXT NOT NULL, created_at INTEGER NOT NULL, last_used_day TEXT, revoked_at INTEGER) WITHOUT ROWID`,
  ],
};

/** Every isolate holds all usable keys in memory, so their number is limited. */
const MAX_USABLE_KEYS = 100;
/** How long a revoked key stays on the list, so that the merchant can look up who made an old request. */
const REVOKED_RETENTION_MS = 400 * DAY_MS;

/**
 * Keeps the merchant's API keys. There is one object per platform and merchant. It stores only a digest of each key. If
 * the process dies before a key is on disk, the merchant has not seen the key and makes another key.
 */
export class ApiKeys extends StoredObject {
  static override readonly schemas = [API_KEYS];

  /** Returns null if there are too many usable keys already. */
  create(
    {id, digest}: KeyIdentity,
    {name, scopes, services}: Pick<KeyRecord, 'name' | 'scopes' | 'services'>,
  ): KeyRecord | null {
    this.storage.versions.create(API_KEYS);
    const now = Date.now();
    this.storage.sql`DELETE FROM api_keys WHERE revoked_at <= ${now - REVOKED_RETENTION_MS}`;
    if (this.usable().length >= MAX_USABLE_KEYS) return null;
    const row = {
      id,
      name,
      scopes: scopes.join(' '),
      services: services && JSON.stringify(services),
      digest,
      created_at: now,
    };
    this.storage.sql`INSERT INTO api_keys ${newRow(row)}`;
    return this.#find(id);
  }

  /** All keys, the newest first. */
  list(): KeyRecord[] {
    if (!this.storage.versions.has(API_KEYS)) return [];
    return this.storage.sql<Row>`SELECT * FROM api_keys ORDER BY created_at DESC, id`.map((row) => toRecord(row));
  }

  usable(): UsableKey[] {
    if (!this.storage.versions.has(API_KEYS)) return [];
    return this.storage.sql<Row>`SELECT * FROM api_keys WHERE revoked_at IS NULL`.map((row) =>
      Object.assign(toRecord(row), {digest: row.digest}),
    );
  }

  /** Revokes a key. A second call changes nothing. Returns null if there is no such key. */
  revoke(id: string): KeyRecord | null {
    if (!this.storage.versions.has(API_KEYS)) return null;
    this.storage.sql`UPDATE api_keys SET revoked_at = ${Date.now()} WHERE id = ${id} AND revoked_at IS NULL`;
    return this.#find(id);
  }

  /** Records that a key was used on a day. An earlier day never replaces a later day. */
  recordUse(id: string, day: string): void {
    if (!this.storage.versions.has(API_KEYS)) return;
    this.storage.sql`
      UPDATE api_keys SET last_used_day = ${day} WHERE id = ${id} AND coalesce(last_used_day, '') < ${day}`;
  }

  #find(id: string): KeyRecord | null {
    const [row] = this.storage.sql<Row>`SELECT * FROM api_keys WHERE id = ${id}`;
    return row ? toRecord(row) : null;
  }
}

function toRecord({id, name, scopes, services, created_at, last_used_day, revoked_at}: Row): KeyRecord {
  return {
    id,
    name,
    scopes: scopes.split(' ') as Scope[],
    services: JSON.parse(services ?? 'null') as ServiceLimit,
    createdAt: created_at,
    lastUsedDay: last_used_day,
    revokedAt: revoked_at,
  };
}
