/** Lets Cloudflare refuse Durable Objects, as it does when a limit of the account is reached. */

import {runInDurableObject} from 'cloudflare:test';
import {vi} from 'vitest';
import {Objects} from '../../../worker/objects.ts';

/** What Cloudflare says for the spending limit and for the daily limits of the free plan. */
export const REFUSALS = {
  spending_limit: "Exceeded the account's spending cap for Durable Objects",
  free_plan: 'Exceeded allowed rows written in Durable Objects free tier.',
} as const;

/** Rejects every call of an object by the Worker. @returns a function that ends this. */
export function refuseCalls(message: string): () => void {
  const stub = new Proxy(
    {},
    {get: (_stub, member) => (member === 'then' ? undefined : () => Promise.reject(new Error(message)))},
  );
  const methods = Object.getOwnPropertyNames(Objects.prototype).filter(
    (name) => !/^(constructor|counterKey)$/.test(name),
  );
  const finders = Objects.prototype as unknown as Record<string, () => unknown>;
  const spies = methods.map((name) => vi.spyOn(finders, name).mockReturnValue(stub));
  return () => {
    for (const spy of spies) spy.mockRestore();
  };
}

/** Rejects all queries, writes and alarms of an object that is awake. @returns a function that ends this. */
export async function refuseStorage(stub: DurableObjectStub, message: string): Promise<() => Promise<void>> {
  const refuse = () => {
    throw new Error(message);
  };
  const change = (act: (target: object, name: string) => void) =>
    runInDurableObject(stub, (_object, {storage}) => {
      act(storage.sql, 'exec');
      for (const name of ['get', 'put', 'delete', 'list']) act(storage.kv, name);
      for (const name of ['setAlarm', 'getAlarm', 'deleteAlarm', 'deleteAll']) act(storage, name);
    });
  await change((target, name) => Object.defineProperty(target, name, {value: refuse, configurable: true}));
  return () => change((target, name) => void Reflect.deleteProperty(target, name));
}
