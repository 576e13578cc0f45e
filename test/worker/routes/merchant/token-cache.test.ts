/** Tests that the Worker caches the platform token. */

import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {handle} from '../../../../worker/router.ts';
import {pay} from '../../support/sandbox.ts';
import {KEY, newOrder, read, WORKER} from './support/merchant-server.ts';

const OBJECTS = Object.entries(env).filter(
  (entry): entry is [string, DurableObjectNamespace] =>
    typeof (entry[1] as {idFromName?: unknown} | null)?.idFromName === 'function',
);

/** Bindings that record which Durable Objects the Worker uses. */
function recordingBindings(): {readonly bindings: typeof env; readonly used: string[]} {
  const used: string[] = [];
  const record = ([name, namespace]: [string, DurableObjectNamespace]) => [
    name,
    new Proxy(namespace, {
      get(target, key) {
        if (key === 'get' || key === 'getByName') used.push(name);
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    }),
  ];
  return {
    bindings: {...env, ...Object.fromEntries(OBJECTS.filter(([name]) => name !== 'METRICS').map(record))} as typeof env,
    used,
  };
}

// The `Metrics` object is left out, because an isolate does not report metrics for each request.
test('after the token was cached, reading a transaction uses no Durable Object', async () => {
  const {order_code} = await read('createOrderCode', {service: 'DEMO', order: newOrder(), amount: '149.90'});
  const id = await pay({order_code});
  const {bindings, used} = recordingBindings();
  const readStatus = async () =>
    (
      await handle(
        new Request(`${WORKER}/merchant/v1/transactions/${id}`, {headers: {authorization: `Bearer ${KEY}`}}),
        bindings,
      )
    ).status;
  expect([await readStatus(), [...used]]).toEqual([200, ['TOKEN']]);
  expect([await readStatus(), await readStatus(), used]).toEqual([200, 200, ['TOKEN']]);
});
