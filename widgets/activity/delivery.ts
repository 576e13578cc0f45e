import type {Activity} from '../../worker/contract/browser/requests.ts';
import {ignoreErrors} from '../core/storage.ts';

/** The key in `localStorage`, and the request body. */
type QueuedActivity = readonly [key: string, body: string];

const DAY_MS = 86_400_000;

/**
 * Delivers activities to the Worker one at a time, in the order in which they happened, and retries each activity for a
 * day. When the page closes, the queued activities are sent as beacons. The next page sends the same activities again.
 * That is safe, because the Worker ignores an `event_id` that it has already counted.
 * @param api - Address of the Worker, with a slash at the end.
 * @returns A function that queues an activity, or drops all activities if it gets none. The activity's `event_id` must
 * begin with the time in base 36.
 */
export function openDelivery(api: string): (activity?: Activity) => void {
  const url = `${api}v1/activities`;
  const prefix = `vezne ${url} `;
  const queue: QueuedActivity[] = [];
  let failures = 0;
  let isBusy = false;
  /** Whether the last request did not reach the Worker. A blocker of the shopper may have stopped it. */
  let isCutOff = false;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;

  /** @returns True if the activity can leave the queue, because the Worker has accepted it or will never accept it. */
  async function deliver(activity: QueuedActivity): Promise<boolean | void> {
    const timeoutMs = 15_000;
    try {
      // A text body needs no CORS preflight, and a `keepalive` request outlives the page.
      const {status} = await fetch(url, {
        method: 'POST',
        body: activity[1],
        keepalive: true,
        signal: AbortSignal.timeout(timeoutMs),
      });
      isCutOff = false;
      return status < 500 && status !== 429;
    } catch {
      isCutOff = true;
    }
  }

  async function deliverQueue(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    clearTimeout(retryTimer);
    for (let first; (first = queue[0]) && (await deliver(first)); failures = 0) {
      const [key] = first;
      // The queue may have been dropped in the meantime.
      if (queue[0] === first) queue.shift();
      ignoreErrors(() => delete localStorage[key]);
    }
    isBusy = false;
    // A random delay, so that pages do not all retry in the same moment after an outage.
    const minDelayMs = 1_000;
    const maxDelayMs = 60_000;
    const delayMs = Math.min(minDelayMs * 2 ** failures++, maxDelayMs) * Math.random();
    if (queue[0]) retryTimer = setTimeout(deliverQueue, delayMs);
  }

  // Load the activities that earlier pages or other tabs could not deliver. Sorting the keys sorts them by time.
  ignoreErrors(() => {
    for (const key of Object.keys(localStorage).sort()) {
      if (!key.startsWith(prefix)) continue;
      if (parseInt(key.slice(prefix.length), 36) > Date.now() - DAY_MS) queue.push([key, localStorage[key] as string]);
      else delete localStorage[key];
    }
  });
  addEventListener('online', deliverQueue);
  // The first activity needs no beacon while it is being sent, because its request is `keepalive`. What a blocker has
  // stopped is not sent in another way.
  addEventListener('pagehide', () => {
    if (!isCutOff) for (const [, body] of queue.slice(+isBusy)) ignoreErrors(() => navigator.sendBeacon(url, body));
  });
  void deliverQueue();

  return (activity) => {
    if (!activity) return void (queue.length = 0);
    const queued: QueuedActivity = [prefix + activity.event_id, JSON.stringify(activity)];
    queue.push(queued);
    ignoreErrors(() => (localStorage[queued[0]] = queued[1]));
    void deliverQueue();
  };
}

/** Deletes the activities of all Workers that the browser stores, also those of earlier pages. */
export function deleteStoredActivities(): void {
  ignoreErrors(() => {
    for (const key of Object.keys(localStorage)) if (/^vezne \S+v1\/activities /.test(key)) delete localStorage[key];
  });
}
