/** Single-use codes that open an order on another device. Only their digests are kept. */

import {digest, randomText} from '../../lib/crypto.ts';
import {MINUTE_MS} from '../../lib/durations.ts';

export interface HandoffTerms {
  /** The origin of the page that made it, and the only one that may use it. */
  readonly origin: string;
  /** Epoch milliseconds. */
  readonly readUntil: number;
  readonly offer?: string | undefined;
  /** Hours the shopper has to pay, as the session has them. */
  readonly hours: number;
}

/** Who asks for a hand-off, and what for. */
export interface HandoffClaim {
  readonly secret: string;
  readonly origin: string;
  /** What the page sells; none where the merchant's server says so. Another offer's hand-off is none of its. */
  readonly offer: string | undefined;
  /** Made up by the page that redeems: an answer that got lost is given to it again, and to nobody else. */
  readonly attempt?: string | undefined;
}

interface StoredHandoff extends HandoffTerms {
  readonly digest: string;
  readonly expiresAt: number;
  /** How the attempt named itself that used it; null where it named itself nothing. */
  readonly usedBy?: string | null;
}

/** 120 bits. */
const SECRET_LENGTH = 24;
const LIFETIME_MS = 10 * MINUTE_MS;
/** A page shows one at a time; a few may be open in several tabs. */
const MAX_OPEN = 5;

export class Handoffs {
  constructor(private readonly storage: DurableObjectStorage) {}

  async create(terms: HandoffTerms, now: number): Promise<{secret: string; expiresAt: number}> {
    const secret = randomText(SECRET_LENGTH);
    const secretDigest = await digest('SHA-256', secret);
    const expiresAt = now + LIFETIME_MS;
    this.#save([...this.#open(now), {...terms, digest: secretDigest, expiresAt}].slice(-MAX_OPEN));
    return {secret, expiresAt};
  }

  /** What a code was made with; it stays good. */
  async find(claim: HandoffClaim, now: number): Promise<HandoffTerms | null> {
    const presented = await digest('SHA-256', claim.secret);
    const found = this.#match(presented, claim, now);
    return found?.usedBy === undefined ? toTerms(found) : null;
  }

  /** Uses a code up; tells whether it was used just now, and not given again. */
  async redeem(
    claim: HandoffClaim,
    now: number,
  ): Promise<{readonly terms: HandoffTerms; readonly isFirst: boolean} | null> {
    const presented = await digest('SHA-256', claim.secret);
    const found = this.#match(presented, claim, now);
    const terms = toTerms(found);
    if (!found || !terms) return null;
    const {attempt = null} = claim;
    if (found.usedBy !== undefined)
      return attempt !== null && found.usedBy === attempt ? {terms, isFirst: false} : null;
    const others = this.#open(now).filter((handoff) => handoff.digest !== presented);
    this.#save([...others, {...found, usedBy: attempt}]);
    return {terms, isFirst: true};
  }

  #match(presented: string, {origin, offer}: HandoffClaim, now: number): StoredHandoff | undefined {
    return this.#open(now).find(
      (handoff) => handoff.digest === presented && handoff.origin === origin && handoff.offer === offer,
    );
  }

  #open(now: number): StoredHandoff[] {
    return (this.storage.kv.get<StoredHandoff[]>('handoffs') ?? []).filter(({expiresAt}) => expiresAt > now);
  }

  #save(handoffs: readonly StoredHandoff[]): void {
    this.storage.kv.put('handoffs', handoffs);
  }
}

function toTerms(handoff: StoredHandoff | undefined): HandoffTerms | null {
  if (!handoff) return null;
  const {origin, readUntil, offer, hours} = handoff;
  return {origin, readUntil, offer, hours};
}
