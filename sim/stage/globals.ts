/** Replaces the isolate's sources of time and chance before any other module runs. Each step of the driver sets both. */

import {exports} from 'cloudflare:workers';
import {Chance} from '../chance.ts';

const RealDate = Date;
const realSetTimeout = setTimeout;

export const control = {
  nowMs: 0,
  chance: new Chance(1),
  /** Grows with everything that code does and this module can see. */
  activity: 0,
  /** Runs at every point at which the driver can end an object. */
  onHook: (): void => {},
  log: [] as string[],
};

/** The calls in which timers wait, by the timers' ids. The stage ends a call when its timer is due or cancelled. */
export const timers = new Map<number, {readonly at: number; readonly end: () => void}>();
/** Timers that were cancelled before they were due. */
export const cancelled = new Set<number>();
let lastTimerId = 0;

/** One turn of workerd's event loop. It ends only after everything that can run has run. */
export const realTurn = (): Promise<void> => new Promise((resolve) => void realSetTimeout(resolve, 0));

export function hook(): void {
  control.activity += 1;
  control.onHook();
}

function random(): number {
  hook();
  return control.chance.next();
}

class VirtualDate extends RealDate {
  constructor(...parts: readonly unknown[]) {
    super(...((parts.length === 0 ? [VirtualDate.now()] : parts) as [number]));
  }

  static override now(): number {
    hook();
    return control.nowMs;
  }
}

function getRandomValues<T extends ArrayBufferView>(view: T): T {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  for (const index of bytes.keys()) bytes[index] = Math.floor(random() * 256);
  return view;
}

function randomUUID(): string {
  const hex = Array.from(getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

type StageStub = Pick<Fetcher, 'fetch'> & {sleep(id: number, at: number): Promise<void>};
const stage = (): StageStub =>
  (exports as unknown as {Stage: {getByName(name: string): StageStub}}).Stage.getByName('stage');

/** Waits in a call to the stage, so that the code that waits continues in its own context. */
async function sleep(ms: number, id = (lastTimerId += 1)): Promise<void> {
  hook();
  await stage().sleep(id, control.nowMs + Math.ceil(Math.max(0, ms)));
}

function virtualSetTimeout(callback: (...args: unknown[]) => void, ms = 0, ...args: readonly unknown[]): number {
  const id = (lastTimerId += 1);
  void (async () => {
    await sleep(ms, id).catch(() => cancelled.add(id));
    if (!cancelled.delete(id)) callback(...args);
  })();
  return id;
}

function abortAfter(ms: number): AbortSignal {
  const controller = new AbortController();
  virtualSetTimeout(() => controller.abort(new DOMException('The operation timed out.', 'TimeoutError')), ms);
  return controller.signal;
}

function virtualFetch(input: RequestInfo, init?: RequestInit): Promise<Response> {
  hook();
  return stage().fetch(new Request(input, init));
}

Math.random = random;
Object.defineProperties(globalThis, {
  Date: {value: VirtualDate},
  setTimeout: {value: virtualSetTimeout},
  clearTimeout: {value: (id: number) => void (timers.has(id) && cancelled.add(id))},
  scheduler: {value: {wait: (ms: number) => sleep(ms)}},
  fetch: {value: virtualFetch},
});
Object.defineProperties(crypto, {getRandomValues: {value: getRandomValues}, randomUUID: {value: randomUUID}});
Object.defineProperty(AbortSignal, 'timeout', {value: abortAfter});
for (const level of ['info', 'warn', 'error', 'log', 'debug'] as const)
  console[level] = (...parts: unknown[]) => void control.log.push(parts.map(String).join(' '));
