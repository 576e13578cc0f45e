/** Stores the receipts of the consents of one month. Each text that was shown is stored only once. */

import {digest, hmac, randomText} from '../../lib/crypto.ts';
import {DAY_MS} from '../../lib/durations.ts';
import type {Kurus} from '../../lib/money.ts';
import {type StoreSchema, statements} from '../migrations.ts';
import {type ObjectStorage, sqlPart} from '../object-storage.ts';

/** A text in every language of the elements. */
interface LocalizedText {
  readonly tr: string;
  readonly en: string;
}

/** What a page shows before a shopper subscribes. */
export interface ShownTexts {
  readonly title: LocalizedText;
  readonly terms: LocalizedText;
}

/** The digest by which a session names its texts. */
export function digestTexts({title, terms}: ShownTexts): Promise<string> {
  return digest('SHA-256', JSON.stringify([title.tr, title.en, terms.tr, terms.en]));
}

/** What is stored as JSON: what was shown, and how the shopper confirmed it. It names no person. */
export interface ConsentFacts {
  readonly product: number;
  readonly offer: string | null;
  /** The origin of the page. */
  readonly origin: string;
  /** The language in which the page showed the texts, as the page says; null if the page does not say it. */
  readonly language: 'tr' | 'en' | null;
  /** The price of one period. */
  readonly price: Kurus;
  readonly period: string;
  /** Free days before the first charge; null if there are none. */
  readonly trialDays: number | null;
  /** Digest of the texts that the session names. */
  readonly textsDigest: string;
  readonly confirmedBy: 'pin' | 'click';
  /** `unknown`: the platform's answer was lost, so it is unknown whether the subscription started. */
  readonly outcome: 'subscribed' | 'unknown';
  /** HMAC of the shopper's network, with the key of this month. */
  readonly network: string;
}

export interface StoredConsent extends ConsentFacts {
  readonly id: string;
  readonly trackingId: string;
  /** Service code and id in mobile billing; null while they are unknown. */
  readonly service: string | null;
  readonly subscription: string | null;
  /** When the shopper confirmed, epoch milliseconds. */
  readonly at: number;
  /** Null if these texts were never stored. */
  readonly texts: ShownTexts | null;
}

/** A subscription whose id mobile billing shows. */
export interface BilledSubscription {
  readonly trackingId: string;
  readonly service: string;
  /** Id in mobile billing. */
  readonly subscription: string;
  /** Epoch milliseconds; null if the platform does not say it. */
  readonly startedAt: number | null;
}

/** What a shopper agreed to, as the Worker received it. */
export interface Consent extends Omit<ConsentFacts, 'network' | 'outcome'> {
  readonly trackingId: string;
  /** The shopper's network. Only its HMAC is stored. */
  readonly network: string;
  /** The texts, if the session contains their digest; otherwise null. */
  readonly texts: ShownTexts | null;
  /** When the shopper confirmed, epoch milliseconds. */
  readonly at: number;
}

/** A consent, and what became of the subscription. */
export interface NewReceipt extends Consent, Pick<ConsentFacts, 'outcome'> {
  /** Names the attempt to subscribe. A receipt that arrives twice is stored once. */
  readonly attempt: string;
}

/** A receipt. `isNetwork`: whether the shopper used the network that the query names; null if it names no network. */
export type ConsentAnswer = StoredConsent & {readonly isNetwork: boolean | null};

/** Which receipts to read: the receipts of a tracking id, or of a subscription in mobile billing. */
export type ConsentQuery =
  | {readonly trackingId: string; readonly network: string | null}
  | {readonly service: string; readonly subscription: string; readonly network: string | null};

type Row = {
  id: string;
  trackingId: string;
  service: string | null;
  subscription: string | null;
  at: number;
  facts: string;
  texts: string | null;
};

export const CONSENTS: StoreSchema = {
  name: 'consents',
  createdOn: 'first write',
  steps: [
    statements(
      'CREATE TABLE texts (digest TEXT PRIMARY KEY, texts TEXT NOT NULL) WITHOUT ROWID',
      `CREATE TABLE receipts (id TEXT PRIMARY KEY, tracking_id TEXT NOT NULL, service TEXT, subscription TEXT,
         at INTEGER NOT NULL, texts_digest TEXT NOT NULL, facts TEXT NOT NULL) WITHOUT ROWID`,
      'CREATE INDEX receipts_tracking ON receipts (tracking_id)',
      'CREATE INDEX receipts_subscription ON receipts (subscription) WHERE subscription IS NOT NULL',
    ),
  ],
};

const RECEIPTS = sqlPart`SELECT receipts.id, tracking_id AS trackingId, service, subscription, at, facts, texts
  FROM receipts LEFT JOIN texts ON texts.digest = texts_digest`;
/** How much the platform's time of a subscription and the time of its receipt may differ. */
const MAX_DISTANCE_MS = DAY_MS;
/** How many receipts of one tracking id are read, newest first. */
const MAX_RECEIPTS = 20;

/**
 * A receipt contains no number and no IP address, only HMACs with a key that never leaves this object; the key is deleted
 * with the receipts.
 */
export class ConsentStore {
  constructor(private readonly storage: ObjectStorage) {}

  /**
   * Stores a receipt. A second receipt of the same attempt changes nothing, unless the outcome of the first is unknown.
   * In this case the receipt of the retry replaces it completely, because the shopper may have confirmed other texts in
   * the retry.
   */
  async add({attempt, trackingId, network, texts, at, ...facts}: NewReceipt): Promise<void> {
    const key = this.#key() ?? this.#createKey();
    const id = `con_${(await hmac(key, `attempt ${attempt}`)).slice(0, 32)}`;
    const stored: ConsentFacts = {...facts, network: await hmac(key, `network ${network}`)};
    const {sql} = this.storage;
    // Each text is stored only once.
    if (texts) sql`INSERT OR IGNORE INTO texts (digest, texts) VALUES (${facts.textsDigest}, ${JSON.stringify(texts)})`;
    sql`
      INSERT INTO receipts (id, tracking_id, at, texts_digest, facts)
      VALUES (${id}, ${trackingId}, ${at}, ${facts.textsDigest}, ${JSON.stringify(stored)})
      ON CONFLICT (id) DO UPDATE SET at = excluded.at, texts_digest = excluded.texts_digest, facts = excluded.facts
      WHERE json_extract(receipts.facts, '$.outcome') = 'unknown'`;
  }

  /** The receipts, newest first. */
  async find(query: ConsentQuery): Promise<ConsentAnswer[]> {
    const key = this.#key();
    if (key === null) return [];
    const found =
      'trackingId' in query
        ? this.#ofTrackingId(query.trackingId)
        : this.#ofSubscription(query.service, query.subscription);
    const network = query.network === null ? null : await hmac(key, `network ${query.network}`);
    return found.map((consent) =>
      Object.assign(consent, {isNetwork: network === null ? null : consent.network === network}),
    );
  }

  /**
   * Adds the id of the subscription to a receipt: the newest receipt that has the same tracking id and no subscription
   * id yet. An older subscription may have the same tracking id. So if the platform says when the subscription started,
   * this time must be within a day of the receipt.
   * @returns whether a receipt now has the id.
   */
  assign({trackingId, service, subscription, startedAt}: BilledSubscription): boolean {
    this.storage.sql`
      UPDATE receipts SET service = ${service}, subscription = ${subscription} WHERE id =
        (SELECT id FROM receipts WHERE tracking_id = ${trackingId} AND subscription IS NULL
         AND (${startedAt} IS NULL OR abs(at - ${startedAt}) <= ${MAX_DISTANCE_MS}) ORDER BY at DESC LIMIT 1)
      AND NOT EXISTS (SELECT 1 FROM receipts WHERE subscription = ${subscription} AND service = ${service})`;
    return this.#ofSubscription(service, subscription).length > 0;
  }

  #ofTrackingId(trackingId: string): StoredConsent[] {
    return this.storage.sql<Row>`
      ${RECEIPTS} WHERE tracking_id = ${trackingId} ORDER BY at DESC LIMIT ${MAX_RECEIPTS}`.map(toConsent);
  }

  #ofSubscription(service: string, subscription: string): StoredConsent[] {
    return this.storage.sql<Row>`
      ${RECEIPTS} WHERE subscription = ${subscription} AND service = ${service}
      ORDER BY at DESC LIMIT ${MAX_RECEIPTS}`.map(toConsent);
  }

  /** The key of the HMACs; null while nothing is stored. */
  #key(): string | null {
    return this.storage.kv.get<string>('key') ?? null;
  }

  #createKey(): string {
    const key = randomText(52);
    this.storage.kv.put('key', key);
    return key;
  }
}

function toConsent({facts, texts, ...row}: Row): StoredConsent {
  return {
    ...row,
    ...(JSON.parse(facts) as ConsentFacts),
    texts: texts === null ? null : (JSON.parse(texts) as ShownTexts),
  };
}
