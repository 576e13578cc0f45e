/**
 * The block `Transaction[…]` of a search as conditions (orders 4.3). Each column takes a value, a list of values (any of
 * them) or a block of `con_operator` and `value`; empty ones filter nothing, names that are not listed are ignored.
 */

import {parseAmount} from '../amounts.ts';
import {isLocalDate, isLocalTime} from '../formats.ts';
import type {Condition} from '../records/new-id.ts';
import type {Parameter, ParameterBlock} from '../request.ts';
import {Refusal} from './phs-statuses.ts';

type Value = string | number;

interface Column {
  readonly sql: string;
  /** @throws {Refusal} for text that is no value of the column. */
  readonly read: (text: string) => Value;
}

const COLUMNS: Readonly<Record<string, Column>> = {
  status: {sql: 'status', read: (text) => readInteger(text, 'status')},
  bank_id: {sql: 'bank_id', read: (text) => readInteger(text, 'bank_id')},
  amount: {sql: 'amount_kurus', read: readAmount},
  transaction_date: {sql: 'transaction_date', read: readTime},
};

const OPERATORS: ReadonlySet<string> = new Set(['<', '>', '>=', '<=', '=']);

/** @throws {Refusal} 400 for half a block, ERR_017 for an amount, ERR_008 for any other value or operator that is none. */
export function readFilter(filter: Parameter | undefined): Condition[] {
  if (!(filter instanceof Map)) return [];
  return [
    ...readDays(filter),
    ...Object.entries(COLUMNS).flatMap(([name, column]) => readColumn(column, filter.get(name))),
  ];
}

export function joinConditions(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({sql}) => `(${sql})`).join(' AND '),
    bindings: conditions.flatMap(({bindings}) => bindings),
  };
}

/** The end date is "start date plus one day" (orders 4.3), hence the first day that is not searched. */
function readDays(filter: ParameterBlock): Condition[] {
  const startDate = textOf(filter, 'startDate');
  const endDate = textOf(filter, 'endDate');
  return [
    ...(startDate ? [{sql: 'transaction_date >= ?', bindings: [readDay(startDate, 'startDate')]}] : []),
    ...(endDate ? [{sql: 'transaction_date < ?', bindings: [readDay(endDate, 'endDate')]}] : []),
  ];
}

function readColumn(column: Column, parameter: Parameter | undefined): Condition[] {
  if (parameter === undefined || parameter === '') return [];
  if (typeof parameter === 'string') return [compare(column, '=', parameter)];
  if (parameter.has('con_operator') || parameter.has('value')) return [readComparison(column, parameter)];
  return readList(column, parameter);
}

function readComparison(column: Column, block: ParameterBlock): Condition {
  const operator = textOf(block, 'con_operator');
  const value = textOf(block, 'value');
  if (operator === '' || value === '') throw new Refusal('400');
  if (!OPERATORS.has(operator)) throw new Refusal('ERR_008', 'con_operator');
  return compare(column, operator, value);
}

/** The operator is one of OPERATORS: it becomes part of the statement. */
function compare({sql, read}: Column, operator: string, value: string): Condition {
  return {sql: `${sql} ${operator} ?`, bindings: [read(value)]};
}

/** One binding holds the list, as statements take no more than a hundred. */
function readList({sql, read}: Column, list: ParameterBlock): Condition[] {
  const values = [...list.keys()].map((name) => textOf(list, name)).filter((text) => text !== '');
  if (values.length === 0) return [];
  return [{sql: `${sql} IN (SELECT value FROM json_each(?))`, bindings: [JSON.stringify(values.map(read))]}];
}

function textOf(block: ParameterBlock, name: string): string {
  const value = block.get(name) ?? '';
  if (typeof value !== 'string') throw new Refusal('ERR_008', name);
  return value;
}

function readInteger(text: string, name: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new Refusal('ERR_008', name);
  return Number(text);
}

function readAmount(text: string): number {
  const amountKurus = parseAmount(text);
  if (amountKurus === undefined) throw new Refusal('ERR_017');
  return amountKurus;
}

function readTime(text: string): string {
  if (!isLocalTime(text)) throw new Refusal('ERR_008', 'transaction_date');
  return text;
}

function readDay(text: string, name: string): string {
  if (!isLocalDate(text)) throw new Refusal('ERR_008', name);
  return `${text} 00:00:00`;
}
