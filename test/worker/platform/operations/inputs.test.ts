import {expect, test} from 'vitest';
import type {OperationInput, OperationName} from '../../../../worker/platform/operations/index.ts';
import {clientWithTransport} from '../../support/stub-transport.ts';

const NOT_ALLOWED: readonly (readonly [name: OperationName, input: unknown])[] = [
  ['orderCodeCreate', {code: 'KTP', order: 'S-1', amount: '149,90'}],
  ['orderCodeCreate', {code: 'KTP', order: 'S-1', amount: 149.9}],
  ['orderCodeCreate', {code: 'KTP', order: 'S-1', amount: '1.005'}],
  ['orderCodeCreate', {code: '', order: 'S-1', amount: '1.00'}],
  ['orderCodeCreate', {code: 'KTP', order: '', amount: '1.00'}],
  ['orderCodeCreate', {code: 'KTP', order: 'S-1', amount: '1.00', user_id: 'x'.repeat(33)}],
  ['orderCodeCreate', {code: 'KTP', order: 'S-1', amount: '1.00', note: 'x'}],
  ['transactionSearch', {code: 'KTP', Transaction: {startDate: '21.11.2026'}}],
  ['transactionSearch', {code: 'KTP', Transaction: {startDate: '2026-02-30'}}],
  ['transactionSearch', {code: 'KTP', Transaction: {amount: {con_operator: 'LIKE', value: '1.00'}}}],
  ['transactionSearch', {code: 'KTP', Transaction: {transaction_date: '2026-11-21'}}],
];

test('an input that the spec does not allow is refused, and nothing is sent', async () => {
  const {client, sent} = clientWithTransport(() => '{"status":"000","message":"Success"}');
  for (const [name, input] of NOT_ALLOWED)
    await expect(client.call(name, input as OperationInput<typeof name>), JSON.stringify(input)).rejects.toThrow();
  expect(sent).toEqual([]);
});
