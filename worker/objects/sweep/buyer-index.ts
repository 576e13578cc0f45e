/**
 * Finds the orders of a buyer. The index has HMACs of e-mail addresses and phones. Their key is sealed with the session
 * secret, so nobody without it can find out whom the index has; and sealed again after the secret was rotated.
 */

import {Semaphore} from '../../lib/async.ts';
import {hmac, openText, openWithAny, randomText, type SealedText, sealText} from '../../lib/crypto.ts';
import {type StoreSchema, type StoreVersions, statements} from '../migrations.ts';

export const BUYERS: StoreSchema = {
  name: 'buyers',
  createdOn: 'first write',
  steps: [statements('CREATE TABLE buyers (digest TEXT, "order" TEXT, PRIMARY KEY (digest, "order")) WITHOUT ROWID')],
};

/** What a buyer is found by, as `readBuyer` reads it. */
export interface BuyerName {
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
}

const KEY = 'buyersKey';
const PURPOSE = 'index of buyers';

export class BuyerIndex {
  /** One call after the other, so that there is one key. */
  readonly #turns = new Semaphore(1);

  /** @param secrets - The session secrets, the current one first. */
  constructor(
    private readonly storage: DurableObjectStorage,
    private readonly versions: StoreVersions,
    private readonly secrets: () => readonly [string, ...string[]],
  ) {}

  add(order: string, name: BuyerName): Promise<void> {
    return this.#turns.run(async () => {
      this.versions.create(BUYERS);
      for (const digest of await this.#digestsOf(name))
        this.storage.sql.exec('INSERT OR IGNORE INTO buyers VALUES (?, ?)', digest, order);
    });
  }

  remove(order: string, name: BuyerName): Promise<void> {
    return this.#turns.run(async () => {
      if (!this.versions.has(BUYERS)) return;
      for (const digest of await this.#digestsOf(name))
        this.storage.sql.exec('DELETE FROM buyers WHERE digest = ? AND "order" = ?', digest, order);
    });
  }

  ordersOf(name: BuyerName, limit: number): Promise<string[]> {
    return this.#turns.run(async () => {
      if (!this.versions.has(BUYERS)) return [];
      const query = 'SELECT DISTINCT "order" FROM buyers WHERE digest IN (SELECT value FROM json_each(?)) LIMIT ?';
      return this.storage.sql
        .exec<{order: string}>(query, JSON.stringify(await this.#digestsOf(name)), limit)
        .toArray()
        .map(({order}) => order);
    });
  }

  /** The digests of what is named. Capital letters make no other e-mail address. */
  async #digestsOf({email, phone}: BuyerName): Promise<string[]> {
    const key = await this.#key();
    const texts = [
      ...(email === undefined ? [] : [`email ${email.toLowerCase()}`]),
      ...(phone === undefined ? [] : [`phone ${phone}`]),
    ];
    return Promise.all(texts.map((text) => hmac(key, text)));
  }

  /** The key, sealed with the current secret. If it cannot be opened any more, nobody is found by the old one. */
  async #key(): Promise<string> {
    const [current, ...others] = this.secrets();
    const sealed = this.storage.kv.get<SealedText>(KEY);
    const own = sealed ? await openText(current, PURPOSE, sealed) : null;
    if (own !== null) return own;
    const old = sealed ? await openWithAny(others, PURPOSE, sealed) : null;
    const key = old ?? randomText(52);
    const sealedAgain = await sealText(current, PURPOSE, key);
    this.storage.kv.put(KEY, sealedAgain);
    if (old === null) this.storage.sql.exec('DELETE FROM buyers');
    return key;
  }
}
