/** Single-use codes that open an order on another device. Only their digests are stored. */

import type {Localized, Seller} from '../../contract/fields.ts';
import {digest, randomText} from '../../lib/crypto.ts';
import {MINUTE_MS} from '../../lib/durations.ts';
import type {Kurus} from '../../lib/money.ts';
import {storedName} from './bill.ts';
import type {OrderAccess} from './order-effects.ts';
import {type OrderState, withRecord} from './order-state.ts';
import type {HandoffTerms, StoredHandoff} from './stored-handoff.ts';

/** What the second device receives from a hand-off. */
export interface HandoffContents extends HandoffTerms {
  readonly amount: Kurus;
  readonly title?: Localized | undefined;
  readonly seller?: Seller | undefined;
}

/** What a page sends to redeem a hand-off. */
export interface HandoffClaim {
  readonly secret: string;
  readonly origin: string;
  /**
   * The offer that the page sells; it must match the offer of the hand-off. Undefined for an order of the merchant's
   * server.
   */
  readonly offer: string | undefined;
  /**
   * Random id that the redeeming page creates. If the answer was lost, only this page may redeem the hand-off again.
   */
  readonly attempt?: string | undefined;
}

/** The length of a secret, in characters. Together the characters have 120 bits. */
const SECRET_LENGTH = 24;
const LIFETIME_MS = 10 * MINUTE_MS;

/** Within this time a page gets its last hand-off again, so that a loop of requests writes rarely. */
const REUSE_MS = 10_000;
/** A page shows one hand-off, but the shopper may have several tabs. With more, the oldest ends. */
const MAX_OPEN = 5;

/** A hand-off with its secret. The secret is only in memory. */
interface NewHandoff {
  readonly secret: string;
  readonly expiresAt: number;
}

export class Handoffs {
  /** The last hand-off for each set of terms, until it is redeemed or too old to be returned again. */
  readonly #last = new Map<string, Promise<NewHandoff>>();
  #lastAt = 0;

  constructor(private readonly order: OrderAccess) {}

  /**
   * Creates a hand-off, or returns the last hand-off again if it is a few seconds old and a session with the same
   * rights created it. A hand-off ends with its session.
   */
  create(terms: HandoffTerms, now: number): Promise<NewHandoff> {
    const {origin, offer, readUntil, hours, shared} = terms;
    const key = JSON.stringify([origin, offer, readUntil, hours, shared]);
    if (now - this.#lastAt >= REUSE_MS) this.#last.clear();
    const last = this.#last.get(key);
    if (last) return last;
    if (this.#last.size === 0) this.#lastAt = now;
    const created = this.#create(terms, now);
    this.#last.set(key, created);
    return created;
  }

  async #create(terms: HandoffTerms, now: number): Promise<NewHandoff> {
    const secret = randomText(SECRET_LENGTH);
    const secretDigest = await digest('SHA-256', secret);
    const expiresAt = Math.min(now + LIFETIME_MS, terms.readUntil);
    await this.order.commit((order) => ({
      ...order,
      handoffs: [...openIn(order, now), {...terms, digest: secretDigest, expiresAt}].slice(-MAX_OPEN),
    }));
    return {secret, expiresAt};
  }

  /** Returns the contents of an unused hand-off without using it up. */
  async find(claim: HandoffClaim): Promise<HandoffContents | null> {
    const presented = await digest('SHA-256', claim.secret);
    const found = match(this.order.state(), presented, claim);
    return found?.usedBy === undefined ? this.#contentsOf(found) : null;
  }

  /** Uses up a hand-off, and returns its contents. The same attempt may redeem it again. */
  async redeem(claim: HandoffClaim): Promise<HandoffContents | null> {
    const presented = await digest('SHA-256', claim.secret);
    const found = match(this.order.state(), presented, claim);
    const contents = this.#contentsOf(found);
    if (!found || !contents) return null;
    const {attempt = null} = claim;
    if (found.usedBy !== undefined) return attempt !== null && found.usedBy === attempt ? contents : null;
    // From now on, `create` must not return this hand-off again, because each hand-off works only once.
    this.#last.clear();
    await this.order.commit((order, now) => {
      const others = openIn(order, now).filter((handoff) => handoff.digest !== presented);
      return withRecord({...order, handoffs: [...others, {...found, usedBy: attempt}]}, {handedOverAt: now});
    });
    return contents;
  }

  #contentsOf(handoff: StoredHandoff | undefined): HandoffContents | null {
    const {record} = this.order.state();
    if (!handoff || !record) return null;
    const {amount, title, seller} = record;
    return {...handoff, amount, title, seller};
  }
}

function match(order: OrderState, presented: string, {origin, offer: name}: HandoffClaim): StoredHandoff | undefined {
  return openIn(order, Date.now()).find(
    ({digest: stored, origin: by, offer, shared}) =>
      stored === presented && by === origin && offer === storedName(name, shared === true),
  );
}

function openIn({handoffs}: OrderState, now: number): StoredHandoff[] {
  return handoffs.filter(({expiresAt}) => expiresAt > now);
}
