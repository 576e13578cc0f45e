/** The Worker's durable objects as tests reach them. */

import {listDurableObjectIds, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {vi} from 'vitest';
import {contextOf} from '../../../worker/context.ts';
import * as worker from '../../../worker/index.ts';
import type {Banks} from '../../../worker/objects/banks.ts';
import type {Order} from '../../../worker/objects/order/order.ts';
import type {Sweep} from '../../../worker/objects/sweep/sweep.ts';
import type {Token} from '../../../worker/objects/token.ts';

export const orderObject = (order: string): DurableObjectStub<Order> => contextOf(env).objects.order('DEMO', order);
export const sweepObject = (): DurableObjectStub<Sweep> => contextOf(env).objects.sweep('DEMO');
export const banksObject = (): DurableObjectStub<Banks> => contextOf(env).objects.banks();
export const tokenObject = (): DurableObjectStub<Token> => contextOf(env).objects.token();

/** The next sweep begins; false where none is planned. */
export const runSweep = (): Promise<boolean> => runDurableObjectAlarm(sweepObject());

/** Milliseconds from now until the object wakes by itself; null where it does not. */
export async function alarmIn(stub: DurableObjectStub): Promise<number | null> {
  const at = await runInDurableObject(stub, (_object, {storage}) => storage.getAlarm());
  return at === null ? null : at - Date.now();
}

/** What all objects there are have written down, tables and values, as text. */
export async function everythingStored(): Promise<string> {
  const stored: unknown[] = [];
  for (const namespace of Object.values(env).filter(isNamespace)) {
    for (const id of await listDurableObjectIds(namespace))
      stored.push(await runInDurableObject(namespace.get(id), (_object, {storage}) => readStorage(storage)));
  }
  return JSON.stringify(stored);
}

/** How often the objects' methods are called during a task, by class and name; requests and alarms are calls too. */
export async function countObjectCalls(
  task: (soFar: Record<string, number>) => Promise<unknown>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const {default: _handler, ...classes} = worker;
  const spies = Object.entries(classes).flatMap(([name, {prototype}]) => {
    const methods = Object.entries(Object.getOwnPropertyDescriptors(prototype) as Record<string, PropertyDescriptor>);
    return methods
      .filter(([method, {value}]) => method !== 'constructor' && typeof value === 'function')
      .map(([method, {value}]) =>
        vi.spyOn(prototype as unknown as Record<string, Method>, method).mockImplementation(function (
          this: unknown,
          ...args: unknown[]
        ) {
          counts[`${name}.${method}`] = (counts[`${name}.${method}`] ?? 0) + 1;
          return (value as Method).apply(this, args);
        }),
      );
  });
  await task(counts);
  for (const spy of spies) spy.mockRestore();
  return counts;
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Whether the object has stored anything, an alarm and tables of the runtime's own included. */
export const isStored = (stub: DurableObjectStub): Promise<boolean> =>
  runInDurableObject(stub, async (_object, {storage}) => {
    const tables = storage.sql.exec('SELECT name FROM sqlite_master').toArray();
    return tables.length > 0 || (await storage.getAlarm()) !== null;
  });

/** What one object has written down: its tables, and its values. */
export const storedIn = (stub: DurableObjectStub): Promise<unknown> =>
  runInDurableObject(stub, (_object, {storage}) => readStorage(storage));

/** By its class: a service's binding says that it has every method. */
function isNamespace(binding: unknown): binding is DurableObjectNamespace {
  return typeof binding === 'object' && binding?.constructor.name === 'DurableObjectNamespace';
}

function readStorage({sql, kv}: DurableObjectStorage): unknown {
  const tables = sql
    .exec<{name: string}>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'")
    .toArray();
  return [tables.map(({name}) => sql.exec(`SELECT * FROM ${name}`).toArray()), [...kv.list()]];
}

/** Gives one object other bindings, until it is evicted. */
export async function replaceBindings(stub: DurableObjectStub, bindings: Record<string, unknown>): Promise<void> {
  await runInDurableObject(stub, (object) => {
    Object.defineProperty(object, 'env', {value: {...env, ...bindings}, configurable: true});
  });
}

/** Lets the objects' client learn what an earlier test changed: the platform is well, and has given out new tokens. */
export async function renewToken(): Promise<void> {
  await runInDurableObject(tokenObject(), async (object) => {
    const {platform} = contextOf((object as unknown as {env: Env}).env);
    const ask = () => platform.call('transactionSearch', {code: 'DEMO', length: 1});
    // The object and those who remember may each hold a token that is no more.
    await ask().catch(ask);
  });
}
