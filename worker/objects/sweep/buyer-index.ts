/**
 * Finds the orders of a buyer. The index has HMACs of e-mail addresses and phones. Their key is sealed with the session
 * secret, so nobody without it can find out whom the index has; and sealed again after the secret was rotated.
 */

import {Semaphore} from '../../lib/async.ts';
import {hmac, openText, openWithAny, randomText, type SealedText, sealText} from '../../lib/crypto.ts';
import {log} from '../../lib/log.ts';
import {type StoreSchema, statements} from '../migrations.ts';
import type {ObjectStorage} from '../object-storage.ts';

export const BUYERS: StoreSchema = {
  name: 'buyers',
  createdOn: 'first write',
  steps: [
    statements(
      'CREATE TABLE buyers ("order" TEXT PRIMARY KEY, email TEXT, phone TEXT, at INTEGER NOT NULL) WITHOUT ROWID',
      'CREATE INDEX buyers_by_email ON buyers (email) WHERE email IS NOT NULL',
      'CREATE INDEX buyers_by_phone ON buyers (phone) WHERE phone IS NOT NULL',
    ),
  ],
};

/** What a buyer is found by, as `readBuyer` reads it. */
export interface BuyerName {
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
}

/** The orders of a buyer. */
export interface FoundOrders {
  /** The newest first. */
  readonly orders: readonly string[];
  /** When the index last lost its key, and all orders of before; epoch milliseconds. */
  readonly lostAt?: number | undefined;
}

const KEY = 'buyersKey';
const LOST = 'buyersLostAt';
const PURPOSE = 'index of buyers';

export class BuyerIndex {
  /** One call after the other, so that there is one key. */
  readonly #turns = new Semaphore(1);

  /** @param secrets - The session secrets, the current one first. */
  constructor(
    private readonly storage: ObjectStorage,
    private readonly secrets: () => readonly [string, ...string[]],
  ) {}

  add(order: string, name: BuyerName): Promise<void> {
    return this.#turns.run(async () => {
      this.storage.versions.create(BUYERS);
      const {email, phone} = await this.#digestsOf(name);
      this.storage.sql`INSERT OR IGNORE INTO buyers VALUES (${order}, ${email}, ${phone}, ${Date.now()})`;
    });
  }

  /** Removes all that these orders are found by. @returns how many of them were found. */
  remove(orders: readonly string[]): Promise<number> {
    return this.#turns.run(async () => {
      if (!this.storage.versions.has(BUYERS)) return 0;
      const found = this.storage.sql`
        DELETE FROM buyers WHERE "order" IN (SELECT value FROM json_each(${JSON.stringify(orders)})) RETURNING 1`;
      return found.length;
    });
  }

  ordersOf(name: BuyerName, limit: number): Promise<FoundOrders> {
    return this.#turns.run(async () => {
      if (!this.storage.versions.has(BUYERS)) return {orders: []};
      const {email, phone} = await this.#digestsOf(name);
      const found = this.storage.sql<{order: string}>`
        SELECT "order" FROM buyers WHERE email = ${email} OR phone = ${phone} ORDER BY at DESC LIMIT ${limit}`;
      return {orders: found.map(({order}) => order), lostAt: this.storage.kv.get<number>(LOST)};
    });
  }

  /** The digests of what is named. Capital letters make no other e-mail address. */
  async #digestsOf({email, phone}: BuyerName): Promise<{email: string | null; phone: string | null}> {
    const key = await this.#key();
    return {
      email: email === undefined ? null : await hmac(key, `email ${email.toLowerCase()}`),
      phone: phone === undefined ? null : await hmac(key, `phone ${phone}`),
    };
  }

  /** The key, sealed with the current secret. If it cannot be opened any more, nobody of before is found. */
  async #key(): Promise<string> {
    const [current, ...others] = this.secrets();
    const sealed = this.storage.kv.get<SealedText>(KEY);
    const own = sealed ? await openText(current, PURPOSE, sealed) : null;
    if (own !== null) return own;
    const old = sealed ? await openWithAny(others, PURPOSE, sealed) : null;
    const key = old ?? randomText(52);
    const sealedAgain = await sealText(current, PURPOSE, key);
    this.storage.kv.put(KEY, sealedAgain);
    if (sealed && old === null) {
      log('error', 'buyer_index_lost');
      this.storage.sql`DELETE FROM buyers`;
      this.storage.kv.put(LOST, Date.now());
    }
    return key;
  }
}
