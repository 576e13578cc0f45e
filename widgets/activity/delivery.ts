import type {Activity} from '../../worker/contract/browser/requests.ts';
import {ignoreErrors} from '../core/storage.ts';

/** Where it is kept, and what is sent. */
type QueuedActivity = readonly [key: string, body: string];

const DAY_MS = 86_400_000;

/**
 * Takes activities to the Worker: one after another in the order in which they happened, each until the Worker has it,
 * for a day. What is under way when the page goes is handed to a beacon and told again on the next page: the Worker
 * knows an activity it has had.
 * @param api address of the Worker, with a slash at the end.
 * @returns What sends one; its `event_id` begins with the time in base 36.
 */
export function openDelivery(api: string): (activity: Activity) => void {
  const url = `${api}v1/activities`;
  const prefix = `vezne ${url} `;
  const queue: QueuedActivity[] = [];
  let failures = 0;
  let isBusy = false;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;

  const beacon = ([, body]: QueuedActivity) => ignoreErrors(() => navigator.sendBeacon(url, body));

  /** @returns Whether it is done with: taken, or such that the Worker never will. */
  async function deliver(activity: QueuedActivity): Promise<boolean | void> {
    const deadlineMs = 15_000;
    try {
      // As text, which needs no leave from the Worker first; `keepalive` outlives the page.
      const {status} = await fetch(url, {
        method: 'POST',
        body: activity[1],
        keepalive: true,
        signal: AbortSignal.timeout(deadlineMs),
      });
      return status < 500 && status !== 429;
    } catch {
      // Some blockers stop the one and not the other. Whether it came is not said, so it stays in the queue.
      beacon(activity);
    }
  }

  async function run(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    clearTimeout(retryTimer);
    for (let first; (first = queue[0]) && (await deliver(first)); failures = 0) {
      const [key] = first;
      queue.shift();
      ignoreErrors(() => delete localStorage[key]);
    }
    isBusy = false;
    // Spread, so that the pages that waited out a fault do not all come at once.
    const fromMs = 1_000;
    const toMs = 60_000;
    const delayMs = Math.min(fromMs * 2 ** failures++, toMs) * Math.random();
    if (queue[0]) retryTimer = setTimeout(run, delayMs);
  }

  // What an earlier page could not deliver, also one in another tab; by time.
  ignoreErrors(() => {
    for (const key of Object.keys(localStorage).sort()) {
      if (!key.startsWith(prefix)) continue;
      if (parseInt(key.slice(prefix.length), 36) > Date.now() - DAY_MS) queue.push([key, localStorage[key] as string]);
      else delete localStorage[key];
    }
  });
  addEventListener('online', run);
  // The first one of a busy queue is on its way.
  addEventListener('pagehide', () => queue.slice(+isBusy).forEach(beacon));
  void run();

  return (activity) => {
    const queued: QueuedActivity = [prefix + activity.event_id, JSON.stringify(activity)];
    queue.push(queued);
    ignoreErrors(() => (localStorage[queued[0]] = queued[1]));
    void run();
  };
}
