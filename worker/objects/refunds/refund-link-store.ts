/** Stores a merchant's refund links. The token of a link, and whoever uses the link, are known only as digests. */

import type {Localized, Seller} from '../../contract/fields.ts';
import type {RefundLinkState} from '../../contract/merchant/refund-links.ts';
import type {Kurus} from '../../lib/money.ts';
import {type StoreSchema, statements} from '../migrations.ts';
import {assignments, type ObjectStorage, type SqlPart, sqlPart} from '../object-storage.ts';
import type {RefundReason} from '../order/refundable.ts';

/** What the page of a link says of its order. */
export interface ShownOrder {
  readonly seller?: Seller | undefined;
  readonly title?: Localized | undefined;
}

export interface NewRefundLink {
  readonly id: string;
  /** The SHA-256 digest of the token in the link's address. */
  readonly digest: string;
  readonly service: string;
  readonly order: string;
  readonly amount: Kurus;
  /** Why the money is sent back; null if the merchant's server named the amount. */
  readonly reason: RefundReason | null;
  readonly shown: ShownOrder;
  /** The API key with which the merchant's server made the link; null for a link of an earlier release. */
  readonly createdBy: string | null;
  /** All times here are epoch milliseconds. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface RefundLinkRow extends NewRefundLink {
  /** When somebody first opened the link. */
  readonly openedAt: number | null;
  readonly withdrawnAt: number | null;
  /** HMAC of the name and IBAN that are being sent, or were sent; null while nobody may be sending any. */
  readonly contact: string | null;
  readonly claimedAt: number | null;
  /** How often different details were sent. The number is part of the command's id. */
  readonly attempt: number;
  /** How often the platform refused the details. */
  readonly refusals: number;
  /** The refund that the platform accepted. */
  readonly refundId: string | null;
}

export function stateOfLink(link: RefundLinkRow, now: number): RefundLinkState {
  if (link.refundId !== null) return 'used';
  if (link.contact !== null) return 'sending';
  if (link.withdrawnAt !== null) return 'withdrawn';
  return now < link.expiresAt ? 'open' : 'expired';
}

export const REFUND_LINKS: StoreSchema = {
  name: 'refund_links',
  createdOn: 'wake',
  steps: [
    statements(
      `CREATE TABLE refund_links (
        id TEXT PRIMARY KEY, digest TEXT NOT NULL UNIQUE, service TEXT NOT NULL, "order" TEXT NOT NULL, amount INTEGER NOT NULL, reason TEXT,
        shown TEXT NOT NULL, created_by TEXT, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, opened_at INTEGER, withdrawn_at INTEGER,
        contact TEXT, claimed_at INTEGER, attempt INTEGER NOT NULL DEFAULT 0, refusals INTEGER NOT NULL DEFAULT 0, refund_id TEXT)`,
      'CREATE INDEX refund_links_order ON refund_links ("order", service)',
      'CREATE INDEX refund_links_expires ON refund_links (expires_at)',
    ),
  ],
};

const COLUMNS = sqlPart`id, digest, service, "order", amount, reason, shown, created_at AS createdAt,
  expires_at AS expiresAt, withdrawn_at AS withdrawnAt, contact, claimed_at AS claimedAt, attempt, refusals,
  refund_id AS refundId, created_by AS createdBy, opened_at AS openedAt`;
type Row = {-readonly [K in keyof RefundLinkRow]: K extends 'shown' ? string : RefundLinkRow[K]};

type ChangedColumn = 'opened_at' | 'withdrawn_at' | 'contact' | 'claimed_at' | 'attempt' | 'refusals' | 'refund_id';

export class RefundLinkStore {
  constructor(private readonly storage: ObjectStorage) {}

  find(id: string): RefundLinkRow | null {
    return this.#select(sqlPart`id = ${id}`)[0] ?? null;
  }

  findByDigest(digest: string): RefundLinkRow | null {
    return this.#select(sqlPart`digest = ${digest}`)[0] ?? null;
  }

  ofOrder(service: string, order: string): RefundLinkRow[] {
    return this.#select(sqlPart`"order" = ${order} AND service = ${service}`);
  }

  add({id, digest, service, order, amount, reason, shown, createdBy, createdAt, expiresAt}: NewRefundLink): void {
    this.storage.sql`
      INSERT INTO refund_links (id, digest, service, "order", amount, reason, shown, created_by, created_at, expires_at)
      VALUES (${id}, ${digest}, ${service}, ${order}, ${amount}, ${reason}, ${JSON.stringify(shown)}, ${createdBy},
        ${createdAt}, ${expiresAt})`;
  }

  set(id: string, changes: Readonly<Partial<Record<ChangedColumn, string | number | null>>>): void {
    this.storage.sql`UPDATE refund_links SET ${assignments(changes)} WHERE id = ${id}`;
  }

  /** When the next link expires or has expired; null if there is none. */
  oldestExpiry(): number | null {
    return this.storage.sql<{at: number | null}>`SELECT min(expires_at) AS at FROM refund_links`[0]?.at ?? null;
  }

  deleteExpiredBefore(at: number): void {
    this.storage.sql`DELETE FROM refund_links WHERE expires_at < ${at}`;
  }

  #select(clause: SqlPart): RefundLinkRow[] {
    const rows = this.storage.sql<Row>`SELECT ${COLUMNS} FROM refund_links WHERE ${clause}`;
    return rows.map((row) => Object.assign(row, {shown: JSON.parse(row.shown) as ShownOrder}));
  }
}
