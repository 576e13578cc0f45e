// @ts-check
// Computes the totals of a busy day from the sandbox's database alone, without the Worker's code and answers.

import {readdirSync} from 'node:fs';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {BANKS} from '../../../sandbox/banks.ts';

/**
 * @typedef {{id: number, service: string, order: string | null, code: string | null, bank: string, kurus: number, day: string, at: string, method: 'transfer' | 'charge', isPaid: number}} Money
 * @typedef {{service: string, order: string, code: string, kurus: number, user: string | null, createdAt: string}} SandboxOrder
 * @typedef {{id: number, service: string, order: string, code: string, kurus: number, status: number, day: string, asked: string}} SandboxRefund
 */

const SERVICES = `CASE service_id WHEN 1 THEN 'DEMO' ELSE 'DEMO2' END`;

/**
 * Reads the records while the sandbox runs.
 * @param {string} folder - Of the sandbox's process.
 * @returns {{money: Money[], orders: SandboxOrder[], refunds: SandboxRefund[]}}
 */
export function readRecords(folder) {
  const storage = path.join(folder, 'storage', 'sandbox-Platform');
  const file = readdirSync(storage).find((name) => /^[0-9a-f]+\.sqlite$/.test(name)) ?? '';
  const database = new DatabaseSync(path.join(storage, file), {readOnly: true});
  /** @param {string} query @returns {any[]} */
  const all = (query) => database.prepare(query).all();
  try {
    const banks = new Map(BANKS.map(({id, name}) => [id, name]));
    const transfers = all(`SELECT t.id, t.service_code AS service, order_ref AS "order", t.order_code AS code, bank_id,
      t.amount_kurus AS kurus, transaction_date AS at, substr(transaction_date, 1, 10) AS day, 'transfer' AS method,
      1 AS isPaid FROM transactions t LEFT JOIN orders USING (order_code)`);
    const charges = all(`SELECT id, ${SERVICES} AS service, reference_code AS "order", NULL AS code, '' AS bank,
      amount_kurus AS kurus, charged_at AS at, substr(charged_at, 1, 10) AS day, 'charge' AS method,
      status IN (3, 6, 7) AS isPaid FROM charges`);
    return {
      money: [...transfers.map((row) => Object.assign(row, {bank: banks.get(row.bank_id)})), ...charges],
      orders: all(`SELECT service_code AS service, order_ref AS "order", order_code AS code, amount_kurus AS kurus,
        user_id AS user, created_at AS createdAt FROM orders`),
      refunds: all(`SELECT id, service_code AS service, order_ref AS "order", r.order_code AS code,
        r.amount_kurus AS kurus, status, substr(COALESCE(refund_time, update_time, ''), 1, 10) AS day,
        create_time AS asked FROM refunds r JOIN orders USING (order_code)`),
    };
  } finally {
    database.close();
  }
}

/**
 * Adds up by a key.
 * @template Item
 * @param {readonly Item[]} items
 * @param {(item: Item) => string} key
 * @param {(item: Item) => number} value
 * @returns {Record<string, number>} without sums of 0, sorted.
 */
export function sumBy(items, key, value) {
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const item of items) sums.set(key(item), (sums.get(key(item)) ?? 0) + value(item));
  return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
