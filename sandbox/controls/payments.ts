import * as z from 'zod';
import {formatAmount, parseAmount} from '../amounts.ts';
import {BANKS, findBank} from '../banks--banks.ts';
import type {Context} from '../context.ts';
import {isLocalTime, toLocalTime} from '../formats.ts';
import {receiveTransfer} from '../notifications/receive-transfer.ts';
import {TRANSACTION_STATUS, type Transaction} from '../records/transactions.ts';
import {BadControl, type ControlInput} from './control-input.ts';
import {Limit} from './limit.ts';
import {readInput} from './read-input.ts';

const MAX_TEXT_LENGTH = 1000;

const Text = z.string('is text').max(MAX_TEXT_LENGTH, `has at most ${MAX_TEXT_LENGTH} characters`);

const NewTransfer = z.object({
  order_code: Text.optional(),
  description: Text.optional(),
  bank: z
    .string('is the code of a bank')
    .transform((code, context) => findBank(code) ?? reject(context, 'is no bank of the list')),
  amount: z
    .union([z.string(), z.number()], 'is an amount such as "149.90"')
    .transform(
      (amount, context) => parseAmount(String(amount)) || reject(context, 'is no amount above zero such as "149.90"'),
    ),
  sender: Text.optional(),
  at: z
    .string('is a time')
    .transform(
      (text, context) =>
        readTime(text) ?? reject(context, 'is a time such as "2026-11-20 14:05:00" or ISO 8601 with a zone'),
    )
    .optional(),
});

const TRANSFER_STATUSES: readonly number[] = Object.values(TRANSACTION_STATUS);
const TransferStatus = z.object({status: z.literal(TRANSFER_STATUSES, `is one of ${TRANSFER_STATUSES.join(', ')}`)});

const TransferQuery = z.object({order_code: z.string().optional(), limit: Limit});

/** POST /_sandbox/transfers: a customer pays, with an order code or with whatever they wrote. */
export function makeTransfer({body}: ControlInput, context: Context) {
  const {clock, orders} = context;
  const {order_code, bank, amount, sender, at, ...input} = readInput(NewTransfer, body);
  const description = order_code ?? input.description;
  if (description === undefined || (order_code !== undefined && input.description !== undefined)) {
    throw new BadControl('A transfer has either an order_code or a description.');
  }
  const order = orders.findInDescription(description);
  const transactionDate = at ?? clock.now();
  const id = receiveTransfer({bank, amountKurus: amount, sender, description, order, transactionDate}, context);
  return {transaction_id: id, matched: order !== undefined};
}

/** POST /_sandbox/transfers/{id}/status: for the statuses that nothing leads to. */
export function setTransferStatus({body, part}: ControlInput, {transactions}: Context) {
  const {status} = readInput(TransferStatus, body);
  const id = Number(part('id'));
  if (!transactions.find(id)) throw new BadControl(`There is no transaction ${part('id')}.`);
  transactions.setStatus(id, status);
  return {};
}

/** GET /_sandbox/transfers */
export function listTransfers({query}: ControlInput, {transactions}: Context) {
  const {order_code, limit} = readInput(TransferQuery, Object.fromEntries(query));
  const condition = order_code ? {sql: 'order_code = ?', bindings: [order_code]} : {sql: 'TRUE', bindings: []};
  return {transfers: transactions.page(condition, limit, 0).map(toShownTransfer)};
}

function toShownTransfer(transaction: Transaction) {
  return {
    transaction_id: transaction.id,
    order_code: transaction.orderCode ?? null,
    order: transaction.order ?? null,
    matched: transaction.orderCode !== undefined,
    bank: BANKS.find(({id}) => id === transaction.bankId)?.code,
    amount: formatAmount(transaction.amountKurus),
    sender: transaction.sender ?? null,
    description: transaction.description,
    at: transaction.transactionDate,
    status: transaction.status,
  };
}

/** Local time as the platform writes it, or ISO 8601 with a zone. */
function readTime(text: string): string | undefined {
  if (isLocalTime(text)) return text;
  if (!z.iso.datetime({offset: true}).safeParse(text).success) return undefined;
  return toLocalTime(Date.parse(text));
}

function reject(context: z.RefinementCtx, message: string): never {
  context.addIssue({code: 'custom', message});
  return z.NEVER;
}
