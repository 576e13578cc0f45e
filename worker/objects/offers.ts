import {isWithin, type ServiceLimit} from '../config/service-limit.ts';
import type {PaymentOffer, SubscriptionOffer} from '../contract/offers.ts';
import {randomBase64Url} from '../lib/crypto.ts';
import {DAY_MS} from '../lib/durations.ts';
import {RANDOM_BYTES} from '../lib/link-name.ts';
import {newReference} from '../lib/order-reference.ts';
import {type StoreSchema, statements} from './migrations.ts';
import {newRow, sqlPart} from './object-storage.ts';
import {StoredObject} from './stored-object.ts';

/** An offer as the merchant's server wrote it. */
export type WrittenOffer =
  | (PaymentOffer & {readonly uses?: 'one' | 'many' | undefined; readonly order?: string | undefined})
  | SubscriptionOffer;

export interface StoredOffer {
  readonly id: string;
  readonly offer: WrittenOffer;
  /** The random part of the name of a bill. Only its link has it. */
  readonly secret: string;
  /** The reference of a bill's only order; null for an offer of many orders. */
  readonly order: string | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly changedAt: number;
}

/** Another shop's offer, or the field that a bill keeps. */
export type PutRefusal = 'unknown_offer' | 'uses' | 'order' | 'service';

type Row = {
  id: string;
  offer: string;
  secret: string;
  bill: string | null;
  expires_at: number | null;
  created_at: number;
  changed_at: number;
};

const LINK_KEY = 'linkKey';
const KEY_BYTES = 32;

const OFFERS: StoreSchema = {
  name: 'offers',
  // Anybody can name an offer that does not exist, which wakes the object. A name of a bill stores at most the key.
  createdOn: 'first write',
  steps: [
    statements(
      `CREATE TABLE offers (id TEXT PRIMARY KEY, offer TEXT NOT NULL, secret TEXT NOT NULL, bill TEXT,
        expires_at INTEGER, created_at INTEGER NOT NULL, changed_at INTEGER NOT NULL) WITHOUT ROWID`,
      'CREATE INDEX offers_expired ON offers (expires_at) WHERE expires_at IS NOT NULL',
      'CREATE INDEX offers_listed ON offers (changed_at) WHERE bill IS NULL',
    ),
    ({kv}) => kv.put(LINK_KEY, randomBase64Url(KEY_BYTES)),
  ],
};

/** How long the merchant can still read an expired offer. */
const EXPIRED_RETENTION_MS = 400 * DAY_MS;

/**
 * Keeps the offers that the merchant's server made. There is one object per platform and merchant. Each write is one
 * statement. If the process dies before it is on disk, the server gets no answer and repeats it.
 */
export class Offers extends StoredObject {
  static override readonly schemas = [OFFERS];

  /**
   * Stores the offer. A bill stays a bill, and keeps its link and its order, until it is deleted, because its link was sent.
   * @param services - The caller's services. @returns why the offer is refused: it belongs to another shop, or the field
   * that is not as in the bill.
   */
  put(id: string, offer: WrittenOffer, services: ServiceLimit = null): StoredOffer | PutRefusal {
    this.storage.versions.create(OFFERS);
    const now = Date.now();
    this.storage.sql`DELETE FROM offers WHERE expires_at <= ${now - EXPIRED_RETENTION_MS}`;
    const before = this.#row(id);
    const written = before && (JSON.parse(before.offer) as WrittenOffer);
    if (written && !isWithin(services, written)) return 'unknown_offer';
    const text = JSON.stringify(offer);
    if (before?.offer === text) return toStored(before);
    const known = before?.bill ?? null;
    const bill = isBill(offer) ? (offer.order ?? known ?? newReference()) : null;
    if (known !== null && bill === null) return 'uses';
    if (known !== null && bill !== known) return 'order';
    const isMoved = written?.kind === 'payment' && written.service !== (offer as PaymentOffer).service;
    if (known !== null && isMoved) return 'service';
    const row = {
      id,
      offer: text,
      secret: before?.secret ?? randomBase64Url(RANDOM_BYTES),
      bill,
      expires_at: offer.expires_at === undefined ? null : Date.parse(offer.expires_at),
      created_at: before?.created_at ?? now,
      changed_at: now,
    } satisfies Row;
    this.storage.sql`INSERT OR REPLACE INTO offers ${newRow(row)}`;
    return toStored(row);
  }

  find(id: string): StoredOffer | null {
    const row = this.#row(id);
    return row && toStored(row);
  }

  /**
   * An offer, and ids of offers of many orders that were changed later, or at this time and have a later id, in the
   * sequence of changes.
   */
  findNew(id: string, since: number, after: string, limit: number) {
    const changed = this.storage.versions.has(OFFERS)
      ? this.storage.sql<Pick<Row, 'id' | 'changed_at'>>`
          SELECT id, changed_at FROM offers WHERE bill IS NULL AND (changed_at, id) > (${since}, ${after})
          ORDER BY changed_at, id LIMIT ${limit}`
      : [];
    return {offer: this.find(id), changed};
  }

  /** The key of the names of links, which never changes. */
  linkKey(): string {
    this.storage.versions.create(OFFERS);
    return this.storage.kv.get<string>(LINK_KEY) ?? '';
  }

  /**
   * The caller's offers in the sequence of their ids.
   * @param after - The last id of the previous page; null for the first.
   */
  list(after: string | null, limit: number, services: ServiceLimit): StoredOffer[] {
    if (!this.storage.versions.has(OFFERS)) return [];
    const isOfCaller =
      services === null
        ? sqlPart`TRUE`
        : sqlPart`offer ->> 'service' IN (SELECT value FROM json_each(${JSON.stringify(services)}))`;
    return this.storage.sql<Row>`
      SELECT * FROM offers WHERE id > ${after ?? ''} AND ${isOfCaller} ORDER BY id LIMIT ${limit}`.map(toStored);
  }

  /** @param services - The caller's services. @returns the deleted offer; null if the caller has no such offer. */
  remove(id: string, services: ServiceLimit): StoredOffer | null {
    const stored = this.find(id);
    if (!stored || !isWithin(services, stored.offer)) return null;
    this.storage.sql`DELETE FROM offers WHERE id = ${id}`;
    return stored;
  }

  #row(id: string): Row | null {
    if (!this.storage.versions.has(OFFERS)) return null;
    return this.storage.sql<Row>`SELECT * FROM offers WHERE id = ${id}`[0] ?? null;
  }
}

function isBill(offer: WrittenOffer): offer is Extract<WrittenOffer, {kind: 'payment'}> {
  return offer.kind === 'payment' && (offer.uses === 'one' || offer.order !== undefined);
}

function toStored({id, offer, secret, bill, created_at, changed_at}: Row): StoredOffer {
  return {
    id,
    offer: JSON.parse(offer) as WrittenOffer,
    secret,
    order: bill,
    createdAt: created_at,
    changedAt: changed_at,
  };
}
