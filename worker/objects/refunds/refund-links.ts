import type {RefundLinkState} from '../../contract/merchant/refund-links.ts';
import {DAY_MS} from '../../lib/durations.ts';
import type {Kurus} from '../../lib/money.ts';
import {sumOf} from '../../lib/sum.ts';
import type {ObjectStorage} from '../object-storage.ts';
import type {Refundable} from '../order/refundable.ts';
import {endOfRetention} from '../schedule.ts';
import {type NewRefundLink, type RefundLinkRow, RefundLinkStore, stateOfLink} from './refund-link-store.ts';

const RETENTION_MS = 30 * DAY_MS;
/** After so many refusals by the platform, nobody can use a link any more. */
const MAX_REFUSALS = 20;
/** The same for attempts of which most were not sent. Each one leaves a command for some days. */
const MAX_ATTEMPTS = 1_000;

/** Whether details were sent or refused so often that the link withdraws itself. */
export function isExhausted({refusals, attempt}: Pick<RefundLink, 'refusals' | 'attempt'>): boolean {
  return refusals >= MAX_REFUSALS || attempt >= MAX_ATTEMPTS;
}

/** A link with its state. */
export type RefundLink = Omit<RefundLinkRow, 'digest' | 'contact'> & {readonly state: RefundLinkState};

/**
 * A link that is asked to send details. `isOwn` says whether the link sends or has sent these details, so that the
 * caller must run the command of `attempt`: a command that was run before answers again with its outcome.
 */
export type LinkClaim = {readonly link: RefundLink; readonly isOwn: boolean};

/**
 * The refund links of a merchant. A link sends one refund: it is claimed for one name and IBAN, whose command has a
 * fixed id. It is released only after this command has failed, and can therefore never be run any more
 * (`Commands.conclude`). If the process dies
 * - after the link was claimed, the same details find the same command, and `sendRefund` begins it only if the link may
 *   still be used. A minute later, any look at the link concludes the command, which then was never begun;
 * - after the platform accepted the refund, `Commands` reports the refund again, and the link is used.
 */
export class RefundLinks {
  readonly #store: RefundLinkStore;

  constructor(storage: ObjectStorage) {
    this.#store = new RefundLinkStore(storage);
  }

  /**
   * Adds a link. A second call with the same id changes nothing.
   * @param refundable - What may be sent back. The open links of the order count too.
   * @returns how much is possible, if the amount is too large.
   */
  create(link: NewRefundLink, refundable: Refundable): RefundLink | {readonly possible: Kurus} {
    const known = this.#store.find(link.id);
    if (known) return shown(known);
    const others = this.#store.ofOrder(link.service, link.order);
    const open = others.filter((other) => stateOfLink(other, Date.now()) === 'open');
    const reserved = sumOf(open, ({amount}) => amount);
    const possible = Math.max(0, (link.reason === null ? refundable.left : refundable.amount) - reserved);
    if (link.amount > possible) return {possible};
    this.#store.add(link);
    return this.find(link.id) as RefundLink;
  }

  find(id: string): RefundLink | null {
    const link = this.#store.find(id);
    return link && shown(link);
  }

  /** Finds a link by its token, for somebody who opens it. */
  open(digest: string): RefundLink | null {
    const link = this.#store.findByDigest(digest);
    if (link?.openedAt === null) this.#store.set(link.id, {opened_at: Date.now()});
    return link && shown(link);
  }

  ofOrder(service: string, order: string): RefundLink[] {
    return this.#store.ofOrder(service, order).map(shown);
  }

  /** Withdraws a link, unless it is used. A link that is `sending` stays so until its command has an outcome. */
  withdraw(id: string): RefundLink | null {
    const link = this.#store.find(id);
    if (link?.withdrawnAt === null && link.refundId === null) this.#store.set(id, {withdrawn_at: Date.now()});
    return this.find(id);
  }

  /** Claims an open link for details. @param contacts - Their HMACs, with each secret; the first is of the current one. */
  claim(id: string, contacts: readonly [string, ...string[]]): LinkClaim | null {
    const known = this.#store.find(id);
    if (!known) return null;
    if (stateOfLink(known, Date.now()) !== 'open')
      return {link: shown(known), isOwn: known.contact !== null && contacts.includes(known.contact)};
    const [contact] = contacts;
    const claim = {attempt: known.attempt + 1, contact};
    const claimedAt = Date.now();
    this.#store.set(id, {...claim, claimed_at: claimedAt});
    return {link: shown({...known, ...claim, claimedAt}), isOwn: true};
  }

  /** Releases a link whose command has failed. @param isRefused - Whether the platform refused the details. */
  release(id: string, attempt: number, isRefused: boolean): RefundLink | null {
    const link = this.#store.find(id);
    if (link?.attempt === attempt && link.contact !== null && link.refundId === null) {
      const refusals = link.refusals + Number(isRefused);
      this.#store.set(id, {contact: null, refusals});
      if (isExhausted({refusals, attempt})) this.withdraw(id);
    }
    return this.find(id);
  }

  /** Records the refund of a link. The caller must not await anything between this and the write of the refund. */
  use(id: string, refundId: string): void {
    this.#store.set(id, {refund_id: refundId});
  }

  /** Deletes old links. */
  prune(now: number): void {
    this.#store.deleteExpiredBefore(now - RETENTION_MS);
  }

  dueAt(): number | null {
    return endOfRetention(this.#store.oldestExpiry(), RETENTION_MS);
  }
}

function shown(row: RefundLinkRow): RefundLink {
  const {digest: _, contact: __, ...link} = row;
  return {...link, state: stateOfLink(row, Date.now())};
}
