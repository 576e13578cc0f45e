/** Tests that the Worker caches the platform token. */

import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {countObjectCalls} from '../../support/durable-objects.ts';
import {pay} from '../../support/sandbox.ts';
import {call, newOrder, read} from './support/merchant-server.ts';

test('after the token was cached, reading a transaction uses no Durable Object', async () => {
  const {order_code} = await read('createOrderCode', {service: 'DEMO', order: newOrder(), amount: '149.90'});
  const id = await pay({order_code});
  const isolate = {...env};
  const readTransaction = async () => expect((await call('getTransaction', {id}, {isolate})).status).toBe(200);
  expect(await countObjectCalls(readTransaction)).toEqual({'Platform.currentToken': 1});
  expect(await countObjectCalls(readTransaction)).toEqual({});
});
