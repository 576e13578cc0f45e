/** What a read costs inside the Worker. */

import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {handle} from '../../../../worker/router.ts';
import {pay} from '../../support/sandbox.ts';
import {KEY, newOrder, read, WORKER} from './support/merchant-server.ts';

const OBJECTS = Object.entries(env).filter(
  (entry): entry is [string, DurableObjectNamespace] =>
    typeof (entry[1] as {idFromName?: unknown} | null)?.idFromName === 'function',
);

/** The Worker's bindings, and the names of the objects that are asked by them. */
function watched(): {readonly bindings: typeof env; readonly asked: string[]} {
  const asked: string[] = [];
  const watch = ([name, namespace]: [string, DurableObjectNamespace]) => [
    name,
    new Proxy(namespace, {
      get(target, key) {
        if (key === 'get' || key === 'getByName') asked.push(name);
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    }),
  ];
  return {bindings: {...env, ...Object.fromEntries(OBJECTS.map(watch))} as typeof env, asked};
}

test('a transaction is read without asking an object once the token is known', async () => {
  const {order_code} = await read('createOrderCode', {service: 'DEMO', order: newOrder(), amount: '149.90'});
  const id = await pay({order_code});
  const {bindings, asked} = watched();
  const statusOf = async () =>
    (
      await handle(
        new Request(`${WORKER}/merchant/v1/transactions/${id}`, {headers: {authorization: `Bearer ${KEY}`}}),
        bindings,
      )
    ).status;
  expect([await statusOf(), [...asked]]).toEqual([200, ['TOKEN']]);
  expect([await statusOf(), await statusOf(), asked]).toEqual([200, 200, ['TOKEN']]);
});
