import type {Activity} from '../../worker/contract/browser/requests.ts';
import {ignoreErrors} from '../core/ignore-errors.ts';

/**
 * Delivers activities to the Worker one at a time, in the order in which they happened, and retries each activity for a
 * day. When the page closes, the queued activities are sent as beacons, unless the last request failed. The next page
 * sends the same activities again. That is safe, because the Worker ignores an `event_id` that it has already counted.
 * @param api - Address of the Worker, with a slash at the end.
 * @returns A function that queues an activity, or drops all activities if it gets none. The activity's `event_id` must
 * begin with the time in base 36.
 */
export function openDelivery(api: string): (activity?: Activity) => void {
  const url = `${api}v1/activities`;
  const prefix = `vezne ${url} `;
  /** The request bodies, by their keys in `localStorage`. */
  const queue = new Map<string, string>();
  let failures = 0;
  let isBusy = false;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;

  async function deliverQueue(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    clearTimeout(retryTimer);
    // The loop also sends what is queued in the meantime, and ends when the queue is dropped.
    for (const [key, body] of queue) {
      const timeoutMs = 15_000;
      // A text body needs no CORS preflight, and a `keepalive` request outlives the page.
      const answer = fetch(url, {method: 'POST', body, keepalive: true, signal: AbortSignal.timeout(timeoutMs)});
      // 429, or an error of a server. Any other answer means that the Worker has accepted the activity or will never
      // accept it.
      const {status = 500} = await answer.catch((error: {status?: number}) => error);
      if (status > 428) break;
      if (status > 399) console.warn('Vezne', status, body);
      failures = 0;
      queue.delete(key);
      ignoreErrors(() => delete localStorage[key]);
    }
    isBusy = false;
    if (!queue.size) return;
    // A random delay, so that pages do not all retry in the same moment after an outage.
    const longestS = 60;
    retryTimer = setTimeout(deliverQueue, Math.min(2 ** failures++, longestS) * Math.random() * 1_000);
  }

  const dayMs = 86_400_000;
  // Load the activities that earlier pages or other tabs could not deliver. Sorting the keys sorts them by time.
  ignoreErrors(() => {
    for (const key of Object.keys(localStorage).sort()) {
      const [, id] = key.split(prefix);
      if (!id) continue;
      if (parseInt(id, 36) > Date.now() - dayMs) queue.set(key, localStorage[key] as string);
      else delete localStorage[key];
    }
  });
  addEventListener('online', deliverQueue);
  // The first activity needs no beacon while it is being sent, because its request is `keepalive`. What has failed is
  // left to the next page: a blocker of the shopper may have stopped it, and then nothing is sent in another way.
  addEventListener('pagehide', () => {
    if (!failures) for (const body of [...queue.values()].slice(+isBusy)) navigator.sendBeacon(url, body);
  });
  void deliverQueue();

  return (activity) => {
    if (!activity) return queue.clear();
    const key = prefix + activity.event_id;
    const body = JSON.stringify(activity);
    queue.set(key, body);
    ignoreErrors(() => (localStorage[key] = body));
    void deliverQueue();
  };
}
