/** Holds every request, timer and alarm of the Worker and the sandbox, in their isolate, until the driver chooses it. */

import {AsyncLocalStorage} from 'node:async_hooks';
import {DurableObject, exports, WorkerEntrypoint} from 'cloudflare:workers';
import {Chance} from '../chance.ts';
import {cancelled, control, realTurn, timers} from './globals.ts';
import type {HttpAnswer, HttpRequest, ObjectName, StageAnswer, StageEvent, StageOp, StageStep} from './protocol.ts';

/** `isReplaced` says whether the alarm that runs has set another one; while it runs, the object has only that alarm. */
type Actor = ObjectName & {readonly ctx: DurableObjectState; isReplaced?: boolean | undefined};
type Method = (...args: unknown[]) => unknown;
type Instance = {ctx: DurableObjectState; alarm?(info: AlarmInvocationInfo): Promise<void>};
/** What every object of the Worker has here in addition. */
type Staged = {simAlarm(): Promise<number | null>; simEnd(): Promise<void>};
/** The classes of the entry, and the entrypoint through which requests reach the Worker. */
const entry = exports as unknown as Readonly<Record<string, DurableObjectNamespace>> & {readonly Shop: Fetcher};
const objectsOf = (className: string): DurableObjectNamespace => entry[className] as DurableObjectNamespace;

/** Alarms are stored this much later, so that the runtime never runs one. */
const ALARM_OFFSET_MS = 100 * 365 * 86_400_000;
/** As the runtime repeats an alarm that fails. */
const ALARM_RETRIES = 6;
const ALARM_RETRY_MS = 2_000;

const running = new AsyncLocalStorage<Actor>();
let armed: StageStep['armed'] = null;
let events: StageEvent[] = [];

control.onHook = () => {
  const actor = armed && running.getStore();
  if (!armed || actor?.className !== armed.className || (armed.hooks -= 1) >= 0) return;
  armed = null;
  events.push({type: 'aborted', className: actor.className, id: actor.id});
  actor.ctx.abort('the simulator ended the object');
};

const owners = new WeakMap<DurableObjectStorage, Actor>();
const retries = new Map<string, number>();
let isPatched = false;

function report(storage: DurableObjectStorage, at: number | null): void {
  const owner = owners.get(storage);
  if (owner?.isReplaced === false) owner.isReplaced = true;
  events.push({type: 'alarm', className: owner?.className ?? '', id: owner?.id ?? '', at});
}

function patchStorage(prototype: DurableObjectStorage): void {
  const {setAlarm, getAlarm, deleteAlarm} = prototype;
  Object.assign(prototype, {
    setAlarm(this: DurableObjectStorage, at: number | Date) {
      report(this, Number(at));
      return setAlarm.call(this, Number(at) + ALARM_OFFSET_MS);
    },
    async getAlarm(this: DurableObjectStorage) {
      if (owners.get(this)?.isReplaced === false) return null;
      const at = await getAlarm.call(this);
      return at === null ? null : at - ALARM_OFFSET_MS;
    },
    deleteAlarm(this: DurableObjectStorage) {
      report(this, null);
      return deleteAlarm.call(this);
    },
  });
  isPatched = true;
}

// oxlint-disable typescript/no-explicit-any -- TypeScript requires `any[]` in a mixin.
/** A class of the Worker or the sandbox, with what the stage needs to end its objects and to run their alarms. */
export function staged<T extends new (...args: any[]) => object>(className: string, base: T): T {
  class StagedObject extends base {
    constructor(...args: any[]) {
      const ctx = args[0] as DurableObjectState;
      if (!isPatched) patchStorage(Object.getPrototypeOf(ctx.storage) as DurableObjectStorage);
      owners.set(ctx.storage, {className, id: ctx.id.toString(), ctx});
      super(...args);
    }

    /** Runs the alarm as the runtime does, if it is due. Returns the time of the next alarm. */
    async simAlarm(): Promise<number | null> {
      const object = this as unknown as Instance;
      const {storage} = object.ctx;
      const at = await storage.getAlarm();
      if (at === null || at > control.nowMs) return at;
      const owner = owners.get(storage) as Actor;
      const retryCount = retries.get(owner.id) ?? 0;
      owner.isReplaced = false;
      try {
        await object.alarm?.({retryCount, isRetry: retryCount > 0, scheduledTime: at});
        retries.delete(owner.id);
        if (!owner.isReplaced) await storage.deleteAlarm();
      } catch {
        retries.set(owner.id, retryCount + 1);
        if (retryCount >= ALARM_RETRIES) await storage.deleteAlarm();
        else if (!owner.isReplaced) await storage.setAlarm(control.nowMs + ALARM_RETRY_MS * 2 ** retryCount);
      } finally {
        owner.isReplaced = undefined;
      }
      return storage.getAlarm();
    }

    simEnd(): void {
      (this as unknown as Instance).ctx.abort('the simulator ended the object');
    }
  }
  enterMethods(className, StagedObject.prototype, base.prototype as object);
  return StagedObject as unknown as T;
}
// oxlint-enable typescript/no-explicit-any

/** Lets every method that is called from outside run with the object as the running actor. */
function enterMethods(className: string, target: object, prototype: object): void {
  for (let at = prototype; at !== DurableObject.prototype; at = Object.getPrototypeOf(at) as object)
    for (const name of Object.getOwnPropertyNames(at)) {
      const method = Object.getOwnPropertyDescriptor(at, name)?.value as Method | undefined;
      if (name === 'constructor' || typeof method !== 'function' || Object.hasOwn(target, name)) continue;
      Object.defineProperty(target, name, {
        value(this: Instance, ...args: unknown[]) {
          const {ctx} = this;
          control.activity += 1;
          if (running.getStore()?.ctx === ctx) return method.apply(this, args);
          return running.run({className, id: ctx.id.toString(), ctx}, () => method.apply(this, args));
        },
      });
    }
}

export class Stage extends DurableObject {
  readonly #held = new Map<number, {readonly request: HttpRequest; readonly answer: PromiseWithResolvers<Response>}>();
  #lastId = 0;

  /** Holds a request of the Worker or the sandbox. */
  override async fetch(request: Request): Promise<Response> {
    const {url, method} = request;
    const id = (this.#lastId += 1);
    const body = method === 'GET' ? null : await request.text();
    const sent = {url, method, headers: Object.fromEntries(request.headers), body};
    const answer = Promise.withResolvers<Response>();
    control.activity += 1;
    this.#held.set(id, {request: sent, answer});
    events.push({type: 'held', id, request: sent});
    return answer.promise;
  }

  /** Ends when the timer is due or cancelled. */
  sleep(id: number, at: number): Promise<void> {
    const {promise, resolve} = Promise.withResolvers<void>();
    timers.set(id, {at, end: resolve});
    return promise;
  }

  async step({now, seed, ops, armed: abort}: StageStep): Promise<StageAnswer> {
    control.chance = new Chance(seed);
    if (abort !== undefined) armed = abort;
    events = [];
    control.log = [];
    control.nowMs = Math.max(control.nowMs, now);
    await this.#endTimers(now);
    for (const op of ops) {
      this.#run(op);
      await settle();
    }
    await this.#endTimers(-Infinity);
    const due = [...timers.values()].map(({at}) => at);
    return {events, timerAt: due.length > 0 ? Math.min(...due) : null, log: control.log};
  }

  /** Ends timers that are due or cancelled, one after the other, in the order of their times. */
  async #endTimers(now: number): Promise<void> {
    for (;;) {
      const ended = [...timers]
        .filter(([id, {at}]) => at <= now || cancelled.has(id))
        .sort(([, a], [, b]) => a.at - b.at)[0];
      if (!ended) return;
      timers.delete(ended[0]);
      ended[1].end();
      await settle();
    }
  }

  #run(op: StageOp): void {
    switch (op.op) {
      case 'request':
        return observe(send(op.request), (answer, error) =>
          events.push({type: 'answer', id: op.id, answer, ...(error !== undefined && {error})}),
        );
      case 'carry': {
        const held = this.#held.get(op.id);
        if (!held) return;
        return observe(send(held.request), (answer) => {
          events.push({type: 'carried', id: op.id, answer});
          if (op.ending !== 'keep') this.#release(op.id, op.ending === 'lose' ? null : answer);
        });
      }
      case 'release':
        return this.#release(op.id, op.answer);
      case 'alarm':
        // If the object ended while its alarm ran, the alarm is still stored, and the runtime repeats it.
        return observe(objectAt(op).simAlarm(), (at, error) =>
          events.push({...op, type: 'alarm-ended', at: error === undefined ? at : control.nowMs + ALARM_RETRY_MS}),
        );
      case 'end':
        return observe(objectAt(op).simEnd(), () => {});
    }
  }

  #release(id: number, answer: HttpAnswer | null): void {
    const held = this.#held.get(id);
    this.#held.delete(id);
    if (answer === null) return held?.answer.reject(new Error('Network connection lost.'));
    const {status, headers, body} = answer;
    held?.answer.resolve(new Response(body === '' ? null : body, {status, headers}));
  }
}

/** Waits until everything that runs waits for the driver. */
async function settle(): Promise<void> {
  for (let before = -1; before !== control.activity;) {
    before = control.activity;
    await realTurn();
  }
}

async function send({url, method, headers, body}: HttpRequest): Promise<HttpAnswer> {
  const isForShop = new URL(url).hostname === 'pay.example';
  const target = isForShop ? entry.Shop : objectsOf('Sandbox').getByName('platform');
  const answer = await target.fetch(url, {method, headers, redirect: 'manual', ...(body !== null && {body})});
  return {status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text()};
}

function objectAt({className, id}: ObjectName): Staged {
  const namespace = objectsOf(className);
  return namespace.get(namespace.idFromString(id)) as unknown as Staged;
}

function observe<R>(work: Promise<R>, onEnd: (result: R | null, error?: string) => void): void {
  const end = (result: R | null, error?: string): void => {
    control.activity += 1;
    onEnd(result, error);
  };
  work.then(end, (error: unknown) => end(null, String(error)));
}

/** Runs the Worker's handler in a context of its own, as the edge does for each request. */
export const shopOf = (handler: ExportedHandler) =>
  class Shop extends WorkerEntrypoint {
    override fetch(request: Request): Response | Promise<Response> {
      return handler.fetch?.(request as never, this.env, this.ctx as never) as Promise<Response>;
    }
  };

/** A request is a step of the driver. */
export const stageHandler: ExportedHandler = {
  fetch: async (request) => {
    const stage = objectsOf('Stage').getByName('stage') as unknown as Stage;
    return Response.json(await stage.step(await request.json()));
  },
};
