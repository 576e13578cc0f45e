/** Single-use codes that open an order on another device. Only their digests are kept. */
import {digest} from '../digest.ts';
import {randomText} from '../random-text.ts';

export interface HandoffTerms {
  /** The origin of the page that made it, and the only one that may use it. */
  readonly origin: string;
  /** Epoch milliseconds. */
  readonly readUntil: number;
  readonly offer?: string | undefined;
  /** Hours the shopper has to pay, as the session has them. */
  readonly hours: number;
}

interface Kept extends HandoffTerms {
  readonly digest: string;
  readonly expiresAt: number;
}

/** 120 bits. */
const SECRET_LENGTH = 24;
const LIFETIME_MS = 10 * 60_000;
/** A page shows one at a time; a few may be open in several tabs. */
const MOST_OPEN = 5;

export class Handoffs {
  constructor(private readonly storage: DurableObjectStorage) {}

  async create(terms: HandoffTerms, now: number): Promise<{secret: string; expiresAt: number}> {
    const secret = randomText(SECRET_LENGTH);
    const kept = await digest('SHA-256', secret);
    const expiresAt = now + LIFETIME_MS;
    this.#keep([...this.#open(now), {...terms, digest: kept, expiresAt}].slice(-MOST_OPEN));
    return {secret, expiresAt};
  }

  /** Uses a code up. */
  async redeem(secret: string, origin: string, now: number): Promise<HandoffTerms | null> {
    const presented = await digest('SHA-256', secret);
    const open = this.#open(now);
    const found = open.find((kept) => kept.digest === presented && kept.origin === origin);
    if (!found) return null;
    this.#keep(open.filter((kept) => kept !== found));
    const {readUntil, offer, hours} = found;
    return {origin, readUntil, offer, hours};
  }

  #open(now: number): Kept[] {
    return (this.storage.kv.get<Kept[]>('handoffs') ?? []).filter(({expiresAt}) => expiresAt > now);
  }

  #keep(handoffs: readonly Kept[]): void {
    this.storage.kv.put('handoffs', handoffs);
  }
}
