/** Stores what buyers were shown and what they ticked, before there was an order code. Each text is stored only once. */

import type {BuyerForm} from '../../contract/buyer.ts';
import {digest, hmac, randomText} from '../../lib/crypto.ts';
import {type StoreSchema, statements} from '../migrations.ts';
import type {ObjectStorage} from '../object-storage.ts';

/** What stood beside the fields: whose they are, what the links led to, and the sentence of each tick. */
export interface BuyerTexts {
  readonly seller: string;
  readonly privacy_url: string;
  readonly terms_url?: string | undefined;
  readonly ticks: readonly Pick<NonNullable<BuyerForm['own']>[number], 'id' | 'label' | 'required' | 'links'>[];
  readonly marketing?: BuyerForm['marketing'];
}

/** What the form of a buyer showed. */
export function textsOfForm({seller, privacy_url, terms_url, own = [], marketing}: BuyerForm): BuyerTexts {
  const ticks = own.flatMap(({type, id, label, required, links}) =>
    type === 'tick' ? [{id, label, ...(required && {required}), ...(links && {links})}] : [],
  );
  return {
    seller: seller.name,
    privacy_url,
    ...(terms_url !== undefined && {terms_url}),
    ticks,
    ...(marketing && {marketing}),
  };
}

/** What is stored as JSON. It names no person. */
interface ReceiptFacts {
  readonly service: string;
  readonly order: string;
  readonly offer: string | null;
  /** The origin of the page. */
  readonly origin: string;
  /** The language in which the page showed the form, as the page says; null if it does not say it. */
  readonly language: 'tr' | 'en' | null;
  /** What was ticked, by the id of the field. */
  readonly ticked: Readonly<Record<string, boolean>>;
  /** Whether the consent to marketing was ticked; null if it was not asked for. */
  readonly marketing: boolean | null;
  /** The shopper's network. Only its HMAC is stored, with the key of this month. */
  readonly network: string;
}

export interface NewBuyerReceipt extends ReceiptFacts {
  readonly texts: BuyerTexts;
  /** When the shopper sent the form, epoch milliseconds. */
  readonly at: number;
}

export interface BuyerReceipt extends NewBuyerReceipt {
  readonly id: string;
  readonly textsDigest: string;
}

type Row = {id: string; at: number; digest: string; texts: string; facts: string};

export const BUYER_RECEIPTS: StoreSchema = {
  name: 'buyer receipts',
  createdOn: 'first write',
  steps: [
    statements(
      'CREATE TABLE buyer_texts (digest TEXT PRIMARY KEY, texts TEXT NOT NULL) WITHOUT ROWID',
      `CREATE TABLE buyer_receipts (id TEXT PRIMARY KEY, at INTEGER NOT NULL, digest TEXT NOT NULL, facts TEXT NOT NULL)
        WITHOUT ROWID`,
    ),
    ({kv}) => kv.put(KEY, randomText(52)),
  ],
};

const KEY = 'buyer receipts key';

/** The store of one month. The id of a receipt is an HMAC of its order, so an order has one receipt in a month. */
export class BuyerReceiptStore {
  constructor(private readonly storage: ObjectStorage) {}

  /** Stores a receipt. That of a later request of the same order replaces it, because only the last one made the order. */
  async add({texts, at, ...facts}: NewBuyerReceipt): Promise<void> {
    const [id, network, textsDigest] = await Promise.all([
      this.#idOf(facts),
      this.#hmac(`network ${facts.network}`),
      digest('SHA-256', JSON.stringify(texts)),
    ]);
    const {sql} = this.storage;
    sql`INSERT OR IGNORE INTO buyer_texts VALUES (${textsDigest}, ${JSON.stringify(texts)})`;
    const stored = JSON.stringify({...facts, network} satisfies ReceiptFacts);
    sql`INSERT OR REPLACE INTO buyer_receipts VALUES (${id}, ${at}, ${textsDigest}, ${stored})`;
  }

  async find(order: Pick<ReceiptFacts, 'service' | 'order'>): Promise<BuyerReceipt | null> {
    const wanted = await this.#idOf(order);
    const [row] = this.storage.sql<Row>`
      SELECT id, at, digest, texts, facts FROM buyer_receipts JOIN buyer_texts USING (digest) WHERE id = ${wanted}`;
    if (!row) return null;
    const {id, at, digest: textsDigest, texts, facts} = row;
    return {...(JSON.parse(facts) as ReceiptFacts), texts: JSON.parse(texts) as BuyerTexts, textsDigest, id, at};
  }

  async #idOf({service, order}: Pick<ReceiptFacts, 'service' | 'order'>): Promise<string> {
    return `con_${(await this.#hmac(`order ${service}\n${order}`)).slice(0, 32)}`;
  }

  #hmac(text: string): Promise<string> {
    return hmac(this.storage.kv.get<string>(KEY) ?? '', text);
  }
}
