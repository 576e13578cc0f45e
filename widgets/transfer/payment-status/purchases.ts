/**
 * Tells the page of each purchase once in this browser. What was told is stored, and checked and stored under one lock of
 * all tabs. Where a browser has no storage or no lock, or a tab dies between call and mark, a purchase is told again.
 */

import {withTimeout} from '../../core/async.ts';
import type {OnPurchase, PaidPurchase} from '../../core/purchases.ts';
import {BrowserStorage} from '../../core/storage.ts';

const storage = new BrowserStorage<{readonly told: readonly string[]}>(['purchases']);
/** How many marks are stored, the oldest are dropped. */
const MAX_MARKS = 200;
/** No listener holds the lock of all tabs for longer. */
const TIMEOUT_MS = 5_000;

const LOCK = 'vezne purchases';

/** Runs a task that has not succeeded in this browser, and marks it. An error of the task is the page's. */
export async function once(mark: string, task: () => unknown): Promise<void> {
  const run = async () => {
    if (storage.read().told?.includes(mark)) return;
    try {
      const result = task();
      if (result instanceof Promise) await withTimeout(result, TIMEOUT_MS, new Error('vezne.onPurchase: too slow'));
    } catch (thrown) {
      reportError(thrown);
      return;
    }
    storage.write({told: [...(storage.read().told ?? []), mark].slice(-MAX_MARKS)});
  };
  // A page without https has no locks, and a page without an origin of its own may not use them.
  await (navigator.locks?.request(LOCK, run).catch(run) ?? run());
}

type Listener = Parameters<OnPurchase>;

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

function tell([listener, {name = '', consent = false} = {}]: Listener): void {
  if (consent && !self.vezne?.consented) return;
  for (const [key, purchase] of purchases) void once(`${name} ${key}`, () => listener(purchase));
}

/** Takes the listeners that the page has added before, and tells each later one at once. */
function listen(): void {
  const page = (self.vezne ??= {});
  page.onPurchase = (...listener) => {
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
