import {hmac, randomText} from '../../lib/crypto.ts';
import {DAY_MS} from '../../lib/durations.ts';
import {StoredObject} from '../stored-object.ts';
import {
  type ConsentFacts,
  CONSENTS,
  ConsentStore,
  type ShownTexts,
  type BilledSubscription,
  type StoredConsent,
} from './consent-store.ts';

/** How long a receipt can be read. */
export const CONSENT_RETENTION_MS = 400 * DAY_MS;
const MAX_MONTH_MS = 31 * DAY_MS;

/** What a shopper agreed to, as the Worker received it. */
export interface Consent extends Omit<ConsentFacts, 'network' | 'outcome'> {
  readonly trackingId: string;
  /** The shopper's network. `Consents` stores only its HMAC. */
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

/**
 * The receipts of all consents to subscriptions that a merchant's shoppers gave in one month (in Turkey), for disputes
 * with a mobile operator. A receipt contains no number and no IP address, only HMACs with a key that never leaves this
 * object; the key is deleted with the receipts. A second receipt of the same attempt to subscribe replaces the first if
 * the outcome of the first is unknown, and otherwise changes nothing.
 */
export class Consents extends StoredObject {
  static override readonly schemas = [CONSENTS];

  readonly #store = new ConsentStore(this.ctx.storage);

  async add({attempt, trackingId, network, texts, at, ...facts}: NewReceipt): Promise<void> {
    const key = this.#key() ?? this.#create(at);
    const id = `con_${(await hmac(key, `attempt ${attempt}`)).slice(0, 32)}`;
    const networkHmac = await hmac(key, `network ${network}`);
    if (texts) this.#store.addTexts(facts.textsDigest, texts);
    this.#store.add(id, trackingId, at, {...facts, network: networkHmac});
  }

  /**
   * Stores the id that mobile billing gave the subscription of this tracking id. @returns whether a receipt now has the
   * id.
   */
  assign(started: BilledSubscription): boolean {
    return this.versions.has(CONSENTS) && this.#store.assign(started);
  }

  /** The receipts, newest first. Reading never creates the store. */
  async find(query: ConsentQuery): Promise<ConsentAnswer[]> {
    const key = this.#key();
    if (key === null) return [];
    const found =
      'trackingId' in query
        ? this.#store.ofTrackingId(query.trackingId)
        : this.#store.ofSubscription(query.service, query.subscription);
    const network = query.network === null ? null : await hmac(key, `network ${query.network}`);
    const isNetwork = (consent: StoredConsent) => (network === null ? null : consent.network === network);
    return found
      .filter(({at}) => at > Date.now() - CONSENT_RETENTION_MS)
      .map((consent) => Object.assign(consent, {isNetwork: isNetwork(consent)}));
  }

  override async alarm(): Promise<void> {
    await this.versions.erase();
  }

  /** The key of the HMACs; null while nothing is stored. */
  #key(): string | null {
    return this.versions.has(CONSENTS) ? (this.ctx.storage.kv.get<string>('key') ?? null) : null;
  }

  /** Creates the store and its key. The alarm deletes everything when no receipt of the month can be read any more. */
  #create(now: number): string {
    const key = randomText(52);
    this.versions.create(CONSENTS);
    this.ctx.storage.kv.put('key', key);
    void this.ctx.storage.setAlarm(now + MAX_MONTH_MS + CONSENT_RETENTION_MS);
    return key;
  }
}
