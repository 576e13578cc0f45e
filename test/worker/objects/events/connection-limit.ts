/**
 * Enforces Cloudflare's limit of six simultaneous connections, which workerd does not enforce. Cloudflare limits the
 * connections of an invocation. This file limits the connections of an object, which is stricter. A connection above
 * the limit waits until another connection of the object gets its answer.
 */

import {AsyncLocalStorage} from 'node:async_hooks';
import {vi} from 'vitest';
import {Semaphore} from '../../../../worker/lib/async.ts';
import {Outbox} from '../../../../worker/objects/events/outbox.ts';
import {Sender} from '../../../../worker/objects/events/sender.ts';

const LIMIT = 6;

interface Gate {
  open: number;
  readonly permits: Semaphore;
}

export interface GateStats {
  /** How many objects opened connections. */
  objects: number;
  /** How many connections had to wait for another connection of the same object. */
  waited: number;
}

/** Enforces the limit until the end of the test. The returned numbers change during the test. */
export function enforceConnectionLimit(): GateStats {
  const gates = new WeakMap<object, Gate>();
  const stats: GateStats = {objects: 0, waited: 0};
  const invocation = new AsyncLocalStorage<object>();
  for (const {prototype, methods} of [
    {prototype: Outbox.prototype as unknown as Record<string, Method>, methods: ['alarm', 'append']},
    {prototype: Sender.prototype as unknown as Record<string, Method>, methods: ['send']},
  ]) {
    for (const name of methods) {
      const method = prototype[name] as Method;
      vi.spyOn(prototype, name).mockImplementation(function (this: object, ...args: unknown[]) {
        return invocation.run(this, () => method.apply(this, args));
      });
    }
  }
  const connect = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const object = invocation.getStore();
    if (!object) return connect(input, init);
    let gate = gates.get(object);
    if (!gate) {
      gates.set(object, (gate = {open: 0, permits: new Semaphore(LIMIT)}));
      stats.objects += 1;
    }
    const counted = gate;
    if (counted.open >= LIMIT) stats.waited += 1;
    counted.open += 1;
    return counted.permits.run(() => connect(input, init)).finally(() => (counted.open -= 1));
  });
  return stats;
}

type Method = (this: object, ...args: unknown[]) => unknown;
