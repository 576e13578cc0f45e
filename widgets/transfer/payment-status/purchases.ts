/**
 * Tells the page of each purchase once in this browser. What was told is stored, and checked and stored under one lock of
 * all tabs. Where a browser has no storage or no lock, or a tab dies between call and mark, a purchase is told again.
 */

import {withTimeout} from '../../core/async.ts';
import type {OnPurchase, PaidPurchase} from '../../core/purchases.ts';
import {BrowserStorage} from '../../core/storage.ts';
import {mayTrack} from '../purchase/may-track.ts';

const storage = new BrowserStorage<{readonly told: readonly string[]}>(['purchases']);
/** How many marks are stored, the oldest are dropped. */
const MAX_MARKS = 200;
/** No listener holds the lock of all tabs for longer. */
const TIMEOUT_MS = 5_000;

const LOCK = 'vezne purchases';

/** Whether a task has succeeded in this browser. */
export function isMarked(name: string): boolean {
  return !!storage.read().told?.includes(name);
}

/** Marks a task as done. It waits for no lock, because the shopper may leave or reload the page next. */
export function mark(name: string): void {
  if (!isMarked(name)) storage.write({told: [...(storage.read().told ?? []), name].slice(-MAX_MARKS)});
}

/** Runs a task that has not succeeded in this browser, and marks it. An error of the task is the page's. */
export async function once(name: string, task: () => unknown): Promise<void> {
  const run = async () => {
    if (isMarked(name)) return;
    try {
      const result = task();
      if (result instanceof Promise) await withTimeout(result, TIMEOUT_MS, new Error('vezne.onPurchase: too slow'));
    } catch (thrown) {
      reportError(thrown);
      return;
    }
    mark(name);
  };
  // A page without https has no locks, and a page without an origin of its own may not use them.
  await (navigator.locks?.request(LOCK, run).catch(run) ?? run());
}

interface Listener {
  readonly call: Parameters<OnPurchase>[0];
  readonly name: string;
  readonly needsConsent: boolean;
  /** Whether the console says that it waits. */
  isNoted: boolean;
}

/** The purchases and the listeners of this page view. */
const purchases = new Map<string, PaidPurchase>();
const listeners: Listener[] = [];

/** @param key - Names the order in this browser. */
export function announce(key: string, purchase: PaidPurchase, dispatch: () => void): void {
  if (purchases.has(key)) return;
  purchases.set(key, purchase);
  void once(`event ${key}`, dispatch);
  for (const listener of listeners) tell(listener);
}

function tell(listener: Listener): void {
  const {call, name, needsConsent} = listener;
  if (!needsConsent || mayTrack()) {
    for (const [key, purchase] of purchases) void once(`${name} ${key}`, () => call(purchase));
  } else if (purchases.size > 0 && !listener.isNoted) {
    listener.isNoted = true;
    console.info(`Vezne: the onPurchase listener "${name}" waits for the shopper’s consent: vezne.consent().`);
  }
}

/** Takes the listeners that the page has added before, and tells each later one at once. */
function listen(): void {
  const page = (self.vezne ??= {});
  page.onPurchase = (call, {name, consent = false} = {}) => {
    // Without a name, a listener is found again by its place in the sequence.
    const listener = {call, name: name || `#${listeners.length}`, needsConsent: consent, isNoted: false};
    listeners.push(listener);
    tell(listener);
  };
  for (const listener of page.purchases?.splice(0) ?? []) page.onPurchase(...listener);
  let {consented} = page;
  // `vezne.consent()` may be the page's own function, or the tracker's.
  Object.defineProperty(page, 'consented', {
    get: () => consented,
    set(value: boolean) {
      consented = value;
      for (const listener of listeners) tell(listener);
    },
  });
}

listen();
