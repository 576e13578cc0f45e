import {evictDurableObject, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env, exports} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../worker/context.ts';
import {isStoreRefused} from '../../../worker/objects/migrations.ts';
import type {StoredObject} from '../../../worker/objects/stored-object.ts';
import {advance, MINUTE} from '../support/clock.ts';
import {
  alarmIn,
  type ClassName,
  CLASSES,
  orderObject,
  replaceBindings,
  runSweep,
  serviceObject,
  storedIn,
} from '../support/durable-objects.ts';
import {freshWorker} from '../support/fresh-worker.ts';
import {logLines} from '../support/log-lines.ts';
import {askAsPage, askMerchant, openOrder, showPayment} from '../support/page.ts';
import {expectProblem, PROBLEMS} from '../support/problems.ts';
import {countCalls, pay, setFault} from '../support/sandbox.ts';

freshWorker();

const commands = () => contextOf(env).objects.commands('DEMO');

/** Requests the refund of an order, always with the same key. */
const refund = (order: string) =>
  askMerchant(
    'refunds',
    {service: 'DEMO', order, amount: '149.90', contact: {name: 'Deniz', iban: 'TR330006100519786457841326'}},
    'the key of a refund',
  );

type AnyStub = DurableObjectStub & Record<string, (...args: unknown[]) => Promise<unknown>>;

/** Every class of Durable Objects, with its namespace, its stores and one of its methods. */
const classes = Object.entries(CLASSES)
  // A sender stores nothing.
  .filter(([name]) => name !== 'Sender')
  .map(([name, value]) => {
    const {schemas, prototype} = value as unknown as typeof StoredObject;
    const method = Object.getOwnPropertyNames(prototype).find((one) => !/^(constructor|alarm)$/.test(one)) ?? '';
    return {name, namespace: exports[name as ClassName] as DurableObjectNamespace, schemas, method};
  });

test('every class of Durable Objects that stores something has a store', () => {
  expect(classes).toHaveLength(13);
  for (const {name, schemas} of classes) expect(schemas.length, name).toBeGreaterThan(0);
});

test.for(classes)(
  '$name refuses a newer store: calls fail, nothing is written, and the alarm is planned again in five minutes',
  async ({name, namespace, schemas, method}) => {
    const stub = namespace.getByName('newer') as AnyStub;
    const store = schemas[0]?.name ?? '';
    await makeNewer(stub, store);
    await renameTables(stub);
    const before = await storedIn(stub);
    await evictDurableObject(stub);
    const error = await stub[method]?.().catch((thrown: unknown) => thrown);
    expect(isStoreRefused(error)).toBe(true);
    expect(String(error)).toContain(`The store ${store} has schema version 7, which is newer than this code`);
    if (name === 'Order') {
      const thrown = await stub.fetch('https://vezne.invalid').catch((fetchError: unknown) => fetchError);
      expect(isStoreRefused(thrown)).toBe(true);
    }
    await runInDurableObject(stub, (_object, {storage}) => storage.setAlarm(Date.now()));
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    expect(await alarmIn(stub)).toBe(5 * MINUTE);
    expect(await storedIn(stub)).toEqual(before);
    expect(logLines('store_newer_than_code')).toEqual([
      {level: 'error', event: 'store_newer_than_code', store, version: 7},
    ]);
  },
);

test('an object whose store cannot be upgraded refuses every call, and its store is not changed', async () => {
  const quota = contextOf(env).objects.platform();
  await quota.quotaUsage();
  // The first step runs again, and fails because its tables exist.
  await runInDurableObject(quota, (_object, {storage}) =>
    storage.sql.exec('UPDATE _schema_migrations SET version = 0'),
  );
  const before = await storedIn(quota);
  await evictDurableObject(quota);
  expect(isStoreRefused(await quota.quotaUsage().catch((error: unknown) => error))).toBe(true);
  expect(await storedIn(quota)).toEqual(before);
  expect(logLines('store_upgrade_failed')).toMatchObject([{level: 'error', store: 'quota'}]);
});

test('a page whose order has a newer store gets 503, and continues when the code and the store match again', async () => {
  const {token, order} = await openOrder();
  await makeNewer(orderObject(order), 'order');
  await evictDurableObject(orderObject(order));
  const answer = await askAsPage('GET', '/v1/payment', {token});
  expectProblem(answer, PROBLEMS.temporarily_unavailable);
  expect(answer.headers.get('retry-after')).toBe('60');
  expect(logLines('internal_error')).toEqual([]);
  await goBack(orderObject(order), 'order');
  expect(await showPayment(token)).toMatchObject({state: 'waiting'});
});

test('an erasure does not ask to be repeated at once if an object refuses its store, or has a wrong setting', async () => {
  const {order} = await openOrder();
  const forget = () => askMerchant('erasures', {service: 'DEMO', order});
  await makeNewer(commands(), 'commands');
  await evictDurableObject(commands());
  const refused = await forget();
  expectProblem(refused, PROBLEMS.temporarily_unavailable);
  expect(refused.headers.get('retry-after')).toBe('60');
  expect(logLines('internal_error')).toEqual([]);
  await replaceBindings(serviceObject(), {SESSION_SECRET: 'short'});
  const misconfigured = await forget();
  expectProblem(misconfigured, PROBLEMS.misconfigured);
  expect(misconfigured.headers.get('retry-after')).toBeNull();
  expect(logLines('misconfigured')).toMatchObject([{level: 'error', names: ['SESSION_SECRET']}]);
});

test('after an object has refused the store of the commands, a refund with an unknown outcome is not sent again', async () => {
  const {order, code} = await openOrder();
  await pay({order_code: code});
  await runSweep();
  await setFault({operation: '/refund/create', kind: 'empty', times: 1});
  const unknown = await refund(order);
  expect([unknown.status, unknown.body]).toMatchObject([504, {code: 'outcome_unknown'}]);
  await makeNewer(commands(), 'commands');
  await evictDurableObject(commands());
  await advance(2 * MINUTE);
  const refused = await refund(order);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
  expect(refused.body).toMatchObject({code: 'temporarily_unavailable'});
  await goBack(commands(), 'commands');
  const {command_id} = unknown.body as {command_id: string};
  expect((await refund(order)).body).toMatchObject({code: 'outcome_unknown', command_id});
  expect(await countCalls('/refund/create')).toBe(1);
});

/** Writes the store as a later version of the code would. */
async function makeNewer(stub: DurableObjectStub, store: string): Promise<void> {
  await runInDurableObject(stub, (_object, {storage}) => {
    storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS _schema_migrations (store TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID',
    );
    storage.sql.exec('INSERT OR REPLACE INTO _schema_migrations VALUES (?, 7)', store);
    storage.kv.put('a key', 'of the newer version');
  });
}

/** Renames the object's tables as a step of a later version may, so that this code cannot use them unnoticed. */
async function renameTables(stub: DurableObjectStub): Promise<void> {
  await runInDurableObject(stub, (_object, {storage: {sql}}) => {
    const tables = sql
      .exec<{name: string}>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'",
      )
      .toArray();
    for (const {name} of tables) sql.exec(`ALTER TABLE ${name} RENAME TO later_${name}`);
  });
}

/** Sets the store's version to the version of this code, so that the store is accepted again. */
async function goBack(stub: DurableObjectStub, store: string): Promise<void> {
  const version = classes.flatMap(({schemas}) => schemas).find(({name}) => name === store)?.steps.length ?? 0;
  await runInDurableObject(stub, (_object, {storage}) =>
    storage.sql.exec('UPDATE _schema_migrations SET version = ? WHERE store = ?', version, store),
  );
  await evictDurableObject(stub);
}
