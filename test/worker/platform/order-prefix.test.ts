import {expect, test} from 'vitest';
import {replyWithoutPrefix, withoutPrefix, withPrefix} from '../../../worker/platform/order-prefix.ts';

/** A reply with the numbers of two orders. */
const reply = (one: string | null, other: string | null) => ({
  order: '881200450017',
  data: {rows: [{order_refno: one, code: '1', amount: null}], unreadable: 0},
  transaction: {referenceCode: other},
});

test.for([
  ['stg-', 'stg-S-1', 'S-1'],
  ['stg-', 'stg-stg-S-1', 'stg-S-1'],
  ['stg-', 'S-1', null],
  ['stg-', 'STG-S-1', null],
  ['stg-', 'stg-', null],
  ['', 'S-1', 'S-1'],
] as const)('with the prefix %j, the platform’s number %j is the merchant’s %j', ([prefix, number, own]) => {
  expect(withoutPrefix(prefix, number)).toBe(own);
  if (own !== null) expect(withPrefix(prefix, {order: own}).order).toBe(number);
});

test('the prefix is added to and removed from every field that has an order number, and from no other field', () => {
  const call = {order: 'S-1', code: 'DEMO', referenceCode: 'S-2', contact: {order: 'x'}, amount: '1'};
  expect(withPrefix('stg-', call)).toEqual({...call, order: 'stg-S-1', referenceCode: 'stg-S-2'});
  expect(withPrefix('stg-', {id: '1'})).toEqual({id: '1'});
  expect(replyWithoutPrefix('stg-', reply('stg-S-1', 'stg-S-2'))).toEqual(reply('S-1', 'S-2'));
  expect(replyWithoutPrefix('stg-', reply('S-1', null))).toEqual(reply(null, null));
  expect(replyWithoutPrefix('', reply('S-1', null))).toEqual(reply('S-1', null));
});
