import type {Clock} from './clock.ts';
import {insert, replace, select, update} from './sql.ts';

/** An order, which the spec calls an order-to-reference record (orders.md 2.2). */
export interface Order {
  readonly orderCode: string;
  readonly serviceCode: string;
  /** The merchant's reference. */
  readonly order: string;
  readonly amountKurus: number;
  readonly marketplace: Marketplace | undefined;
  readonly userId: string | undefined;
  readonly createdAt: string;
  /** The time at which the merchant called order-complete. */
  readonly completedAt: string | undefined;
}

/** The split of a marketplace order: the sub-merchant's share. */
export interface Marketplace {
  readonly payout: string;
  readonly subMerchantId: string;
  readonly feeKurus: number;
}

export type NewOrder = Omit<Order, 'orderCode' | 'createdAt' | 'completedAt'>;

type Row = Omit<Order, 'marketplace'> & {[name in keyof Marketplace]: Marketplace[name] | undefined};

export class Orders {
  static readonly schema = `
    CREATE TABLE IF NOT EXISTS orders (
      order_code TEXT PRIMARY KEY,
      service_code TEXT NOT NULL,
      order_ref TEXT NOT NULL,
      amount_kurus INTEGER NOT NULL,
      payout TEXT,
      sub_merchant_id TEXT,
      fee_kurus INTEGER,
      user_id TEXT,
      created_at TEXT NOT NULL,
      completed_at TEXT,
      UNIQUE (service_code, order_ref)
    );
  `;

  constructor(
    private readonly sql: SqlStorage,
    private readonly clock: Clock,
  ) {}

  find(serviceCode: string, order: string): Order | undefined {
    return this.#select('WHERE service_code = ? AND order_ref = ?', serviceCode, order)[0];
  }

  findByCode(orderCode: string): Order | undefined {
    return this.#select('WHERE order_code = ?', orderCode)[0];
  }

  /** Finds the orders with this reference in all services. */
  findByReference(order: string): Order[] {
    return this.#select('WHERE order_ref = ?', order);
  }

  /** Finds the order whose code is in a description. Undefined if the description has no order's code, or several. */
  findInDescription(description: string): Order | undefined {
    const codes = JSON.stringify(findOrderCodes(description));
    const found = this.#select('WHERE order_code IN (SELECT value FROM json_each(?))', codes);
    return found.length === 1 ? found[0] : undefined;
  }

  /** Returns orders, newest first. */
  recent(limit: number): Order[] {
    return this.#select('ORDER BY rowid DESC LIMIT ?', limit);
  }

  /** Saves a new order and returns its order code. */
  create({serviceCode, order, amountKurus, marketplace, userId}: NewOrder): string {
    const orderCode = this.#newOrderCode();
    const createdAt = this.clock.now();
    insert(this.sql, 'orders', {
      orderCode,
      serviceCode,
      orderRef: order,
      amountKurus,
      ...marketplace,
      userId,
      createdAt,
    });
    return orderCode;
  }

  /** Sets a new amount and, if one is given, a new split. */
  update({orderCode}: Order, amountKurus: number, marketplace: Marketplace | undefined): void {
    update(this.sql, 'orders', {orderCode}, {amountKurus, ...marketplace});
  }

  /** Records the time of the first completion; later completions change nothing. */
  complete({orderCode}: Order): void {
    this.sql.exec(
      'UPDATE orders SET completed_at = COALESCE(completed_at, ?) WHERE order_code = ?',
      this.clock.now(),
      orderCode,
    );
  }

  /**
   * Creates an order code of twelve digits. The first digit is not 0, because spreadsheets drop a leading 0. The
   * first digit is not 9 either, because a Turkish mobile number with its country code (90 5…) also has twelve digits
   * and must not look like an order code.
   */
  #newOrderCode(): string {
    for (;;) {
      const orderCode = String(Math.floor(1e11 + Math.random() * 8e11));
      if (!this.findByCode(orderCode)) return orderCode;
    }
  }

  #select(clause: string, ...bindings: (string | number)[]): Order[] {
    return select<Row>(this.sql, `SELECT *, order_ref AS "order" FROM orders ${clause}`, ...bindings).map(toOrder);
  }
}

function toOrder({payout, subMerchantId, feeKurus, ...order}: Row): Order {
  const isSplit = payout !== undefined && subMerchantId !== undefined && feeKurus !== undefined;
  return {...order, marketplace: isSplit ? {payout, subMerchantId, feeKurus} : undefined};
}

/** A shopper's details of a payment: the block `PaymentNotification` (orders.md 2.4). Missing fields are empty. */
export interface ShopperDetails {
  readonly tc_no: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly user_ip: string;
  /** `YYYY-MM-DD HH:MM:SS`. */
  readonly apply_time: string;
  readonly description: string;
}

/** The shopper details of each order that the merchant created for the bank page. They may be empty. */
export class ShopperDetailsOfOrders {
  static readonly schema = `
    CREATE TABLE IF NOT EXISTS shopper_details (
      order_code TEXT PRIMARY KEY,
      details TEXT NOT NULL
    );
  `;

  constructor(private readonly sql: SqlStorage) {}

  find(orderCode: string): ShopperDetails | undefined {
    const query = 'SELECT details FROM shopper_details WHERE order_code = ?';
    const [row] = select<{details: string}>(this.sql, query, orderCode);
    return row && JSON.parse(row.details);
  }

  save(orderCode: string, details: ShopperDetails): void {
    replace(this.sql, 'shopper_details', {orderCode, details});
  }
}

const ORDER_CODE_LENGTH = 12;

/** Spaces, dots, dashes and so on that shoppers write inside a number. Pasted text also has invisible characters. */
const SEPARATORS = String.raw`[\s\p{Cf}\p{Pd}\u2212.,/_]{0,5}`;
const NUMBER = new RegExp(String.raw`\d(?:${SEPARATORS}\d)*`, 'gu');
/**
 * Matches an IBAN together with all digits that follow it directly, because these digits are not an order code.
 */
const TURKISH_IBAN = new RegExp(String.raw`(?<!\p{L})TR(?:${SEPARATORS}\d){24}\d*`, 'giu');

/**
 * Finds everything that may be an order code in the description of a transfer: adjacent groups of digits that together
 * have twelve digits, as in `881200450017`, `8812 0045 0017` or `kod: 8812-0045-0017, tel 0532 123 45 67`. It ignores
 * parts of a longer run of digits and parts of an IBAN: assigning money to the wrong order is worse than leaving it
 * unassigned until the shopper sends a payment notice.
 */
export function findOrderCodes(description: string): string[] {
  const text = description.normalize('NFKC').replace(TURKISH_IBAN, ' IBAN ');
  const numbers = text.match(NUMBER) ?? [];
  return [...new Set(numbers.flatMap((number) => joinGroups(number.match(/\d+/g) ?? [])))];
}

/** Joins adjacent groups of digits that together have the length of an order code. Never splits a group. */
function joinGroups(groups: readonly string[]): string[] {
  return groups.flatMap((_, start) => {
    let joined = '';
    for (const group of groups.slice(start, start + ORDER_CODE_LENGTH)) {
      joined += group;
      if (joined.length >= ORDER_CODE_LENGTH) break;
    }
    return joined.length === ORDER_CODE_LENGTH ? [joined] : [];
  });
}
