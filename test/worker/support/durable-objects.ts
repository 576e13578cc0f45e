/** Gives tests access to the Worker's Durable Objects. */

import {evictDurableObject, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env, exports} from 'cloudflare:workers';
import {vi} from 'vitest';
import {contextOf} from '../../../worker/context.ts';
import * as worker from '../../../worker/index.ts';
import {formatAmount, type Kurus} from '../../../worker/lib/money.ts';
import {Objects} from '../../../worker/objects.ts';
import {EMPTY_ORDER, type OrderState} from '../../../worker/objects/order/order-state.ts';
import type {Order} from '../../../worker/objects/order/order.ts';
import type {Platform} from '../../../worker/objects/platform/platform.ts';
import type {Service} from '../../../worker/objects/service/service.ts';
import type {PlatformClient, PlatformOptions} from '../../../worker/platform/client.ts';

export const orderObject = (order: string): DurableObjectStub<Order> => contextOf(env).objects.order('DEMO', order);
export const serviceObject = (): DurableObjectStub<Service> => contextOf(env).objects.service('DEMO');
export const platformObject = (): DurableObjectStub<Platform> => contextOf(env).objects.platform();

/** Runs the planned sweep now; returns false when no sweep is planned. */
export const runSweep = (): Promise<boolean> => runDurableObjectAlarm(serviceObject());

/** Milliseconds from now until the object's alarm; null when it has none. */
export async function alarmIn(stub: DurableObjectStub): Promise<number | null> {
  const at = await runInDurableObject(stub, (_object, {storage}) => storage.getAlarm());
  return at === null ? null : at - Date.now();
}

/** Runs an alarm again that a crash interrupted, as the runtime does. */
export async function repeatAlarm(stub: DurableObjectStub): Promise<void> {
  await runInDurableObject(stub, (_object, {storage}) => storage.setAlarm(Date.now()));
  await runDurableObjectAlarm(stub);
}

/** How the Worker finds an object: the method of `Objects` and its arguments. */
export interface ObjectAddress {
  readonly method: string;
  readonly args: readonly unknown[];
}

/** The objects that the Worker addressed in this test, by id. */
const addressed = new Map<string, ObjectAddress>();
const recordAddress = (stub: DurableObjectStub, address: ObjectAddress) => {
  // `guardNamed` takes a name that another method made from the guard's key. The address with the key is kept.
  if (address.method !== 'guardNamed' || !addressed.has(String(stub.id))) addressed.set(String(stub.id), address);
  return stub;
};
for (const [name, method] of methodsOf(Objects.prototype)) {
  Object.defineProperty(Objects.prototype, name, {
    value(this: Objects, ...args: unknown[]) {
      const stub = method.apply(this, args) as DurableObjectStub | Promise<DurableObjectStub>;
      const record = (found: DurableObjectStub) => recordAddress(found, {method: name, args});
      return stub instanceof Promise ? stub.then(record) : record(stub);
    },
  });
}

const {default: _handler, ...classes} = worker;

/** All classes of Durable Objects. */
export const CLASSES = classes;
export type ClassName = keyof typeof CLASSES;

/** The namespaces of all classes of Durable Objects, without these. */
export const namespacesExcept = (...omitted: readonly ClassName[]): DurableObjectNamespace[] =>
  (Object.keys(CLASSES) as ClassName[]).filter((name) => !omitted.includes(name)).map((name) => exports[name]);

/** Forgets the objects of earlier tests, because they store nothing after a reset. */
export const clearAddressedObjects = (): void => addressed.clear();

/** The ids of the namespace's objects that the Worker addressed in this test. */
export const listAddressed = (namespace: DurableObjectNamespace): DurableObjectId[] =>
  [...addressed.keys()].flatMap((id) => {
    try {
      return [namespace.idFromString(id)];
    } catch {
      // The id belongs to another namespace.
      return [];
    }
  });

/** Wakes the objects that the Worker addressed in this test. */
export async function wakeAddressed(): Promise<void> {
  for (const namespace of namespacesExcept())
    for (const id of listAddressed(namespace)) await runInDurableObject(namespace.get(id), () => undefined);
}

/** How the Worker found the object with this id in this test. */
export const addressOf = (id: DurableObjectId): ObjectAddress | undefined => addressed.get(String(id));

/** Everything that all objects have stored in this test, tables and values, as text. */
export async function everythingStored(): Promise<string> {
  const stored: unknown[] = [];
  for (const namespace of namespacesExcept()) {
    for (const id of listAddressed(namespace))
      stored.push(await runInDurableObject(namespace.get(id), (_object, {storage}) => readStorage(storage)));
  }
  return JSON.stringify(stored);
}

/**
 * Counts the calls to methods of Durable Objects while `task` runs, by class and method. `fetch` and `alarm` count too.
 * @param task - Receives the counts, which grow during the task.
 */
export async function countObjectCalls(
  task: (counts: Record<string, number>) => Promise<unknown>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const spies = Object.entries(CLASSES).flatMap(([name, {prototype}]) =>
    methodsOf(prototype).map(([method, value]) =>
      vi.spyOn(prototype as unknown as Record<string, Method>, method).mockImplementation(function (
        this: unknown,
        ...args: unknown[]
      ) {
        // Reports are left out, because they depend on the time since the last report, not on the task.
        if (method !== 'recordReport') counts[`${name}.${method}`] = (counts[`${name}.${method}`] ?? 0) + 1;
        return value.apply(this, args);
      }),
    ),
  );
  await task(counts);
  for (const spy of spies) spy.mockRestore();
  return counts;
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

function methodsOf(prototype: object): [name: string, method: Method][] {
  const members = Object.entries(Object.getOwnPropertyDescriptors(prototype) as Record<string, PropertyDescriptor>);
  return members.flatMap(([name, {value}]): [string, Method][] =>
    name !== 'constructor' && typeof value === 'function' ? [[name, value as Method]] : [],
  );
}

/** Whether the object has stored anything, including an alarm and the runtime's own tables. */
export const isStored = (stub: DurableObjectStub): Promise<boolean> =>
  runInDurableObject(stub, async (_object, {storage}) => {
    const tables = storage.sql.exec('SELECT name FROM sqlite_master').toArray();
    return tables.length > 0 || (await storage.getAlarm()) !== null;
  });

/** What one object has stored: its tables, also those of indexes, and its values. Bytes are written as Latin-1. */
export const storedIn = (stub: DurableObjectStub): Promise<unknown> =>
  runInDurableObject(stub, (_object, {storage}) => readStorage(storage));

/** The keys of what isolates reported, which `readStorage` leaves out: a report may arrive at any moment. */
const REPORTED = new Set(['sums', 'troubles', 'refusals']);

const textOf = (value: SqlStorageValue) =>
  value instanceof ArrayBuffer ? String.fromCharCode(...new Uint8Array(value)) : value;

function readStorage({sql, kv}: DurableObjectStorage): unknown {
  const tables = sql
    .exec<{name: string}>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'")
    .toArray();
  return [
    tables.map(({name}) => [...sql.exec(`SELECT * FROM ${name}`).raw()].map((row) => row.map(textOf))),
    [...kv.list()].filter(([key]) => !REPORTED.has(key)),
  ];
}

/** Makes a method of an object fail, until `mendMethod` or until the object is evicted. */
export const breakMethod = <T extends Rpc.DurableObjectBranded>(
  stub: DurableObjectStub<T>,
  name: keyof T & string,
): Promise<void> =>
  runInDurableObject(stub, (object) => {
    Object.defineProperty(object, name, {configurable: true, value: () => Promise.reject(new Error())});
  });
export const mendMethod = <T extends Rpc.DurableObjectBranded>(
  stub: DurableObjectStub<T>,
  name: keyof T & string,
): Promise<void> =>
  runInDurableObject(stub, (object) => {
    Reflect.deleteProperty(object, name);
  });

/** Makes an order unreachable for the sweep. */
export const breakOrder = (order: string): Promise<void> => breakMethod(orderObject(order), 'receiveArrivals');
export const mendOrder = (order: string): Promise<void> => mendMethod(orderObject(order), 'receiveArrivals');

/** Changes the amount of an order at the platform. */
export const amendOrder = (order: string, amount: Kurus) =>
  orderObject(order).changeCode({code: 'DEMO', order, amount: formatAmount(amount)}, 'root');

/** Deletes the money that an order has stored. */
export async function deleteMoney(order: string): Promise<void> {
  await runInDurableObject(orderObject(order), (_object, {storage}) => {
    const stored = storage.kv.get<OrderState>('order') ?? EMPTY_ORDER;
    storage.kv.put('order', {...stored, money: EMPTY_ORDER.money});
  });
  await evictDurableObject(orderObject(order));
}

/** Replaces bindings of one object until the object is evicted. */
export async function replaceBindings(stub: DurableObjectStub, bindings: Record<string, unknown>): Promise<void> {
  await runInDurableObject(stub, (object) => {
    Object.defineProperty(object, 'env', {value: {...env, ...bindings}, configurable: true});
  });
}

/**
 * Before a test: replaces the token of an earlier test, and closes the circuits of the objects' platform client. This
 * function runs before every test, so it calls no other server.
 */
export async function storeToken(token: string): Promise<void> {
  await runInDurableObject(platformObject(), async (object) => {
    const {platform} = contextOf((object as unknown as {env: Env}).env);
    object.replaceToken(token);
    await cacheToken(platform, token);
    (platform as unknown as {breakers: Map<string, unknown>}).breakers.clear();
  });
  await cacheToken(contextOf(env).platform, token);
}

/** Makes a client use the stored token. */
async function cacheToken(platform: PlatformClient, token: string): Promise<void> {
  const {tokens} = (platform as unknown as {options: PlatformOptions}).options;
  const cached = await tokens.current();
  if (cached !== token) await tokens.renew(cached);
}

/** During a test: renews the token if it has expired, as a call of the Worker would. */
export async function renewToken(): Promise<void> {
  await runInDurableObject(platformObject(), async (object) => {
    const {platform} = contextOf((object as unknown as {env: Env}).env);
    // The first call may fail: the token object and the client's cache may each have an outdated token.
    await searchOnce(platform).catch(() => searchOnce(platform));
  });
}

const searchOnce = (platform: PlatformClient) => platform.call('transactionSearch', {code: 'DEMO', length: 1});
