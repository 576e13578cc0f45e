/** Finds the orders of a buyer. The index has HMACs of e-mail addresses and phones, which only the Worker's secret makes. */

import {readEmail} from '../../contract/readers/buyer.ts';
import {fingerprint} from '../commands/iban-fingerprint.ts';
import {type StoreSchema, type StoreVersions, statements} from '../migrations.ts';

export const BUYERS: StoreSchema = {
  name: 'buyers',
  createdOn: 'first write',
  steps: [statements('CREATE TABLE buyers (digest TEXT, "order" TEXT, PRIMARY KEY (digest, "order")) WITHOUT ROWID')],
};

/** What a buyer is found by. */
export interface BuyerName {
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
}

/** The digests of an e-mail address and a phone as `readBuyer` reads them. Capital letters make no other address. */
export function digestsOf({email, phone}: BuyerName, secret: string): Promise<string[]> {
  const texts = [
    ...(email === undefined ? [] : [`buyer email ${(readEmail(email) ?? email).toLowerCase()}`]),
    ...(phone === undefined ? [] : [`buyer phone ${phone}`]),
  ];
  return Promise.all(texts.map((text) => fingerprint(text, secret)));
}

export class BuyerIndex {
  constructor(
    private readonly sql: SqlStorage,
    private readonly versions: StoreVersions,
  ) {}

  add(order: string, digests: readonly string[]): void {
    this.versions.create(BUYERS);
    for (const digest of digests) this.sql.exec('INSERT OR IGNORE INTO buyers VALUES (?, ?)', digest, order);
  }

  remove(order: string, digests: readonly string[]): void {
    if (!this.versions.has(BUYERS)) return;
    for (const digest of digests) this.sql.exec('DELETE FROM buyers WHERE digest = ? AND "order" = ?', digest, order);
  }

  ordersOf(digests: readonly string[], limit: number): string[] {
    if (!this.versions.has(BUYERS)) return [];
    const query = 'SELECT DISTINCT "order" FROM buyers WHERE digest IN (SELECT value FROM json_each(?)) LIMIT ?';
    return this.sql
      .exec<{order: string}>(query, JSON.stringify(digests), limit)
      .toArray()
      .map(({order}) => order);
  }
}
