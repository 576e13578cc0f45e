/** What tests of the tracker ask the Worker and the page. */

import type {Activity} from '../../../worker/contract/browser/requests.ts';
import {inside} from '../support/frame.ts';
import {until} from '../support/page.ts';
import type {TestWorker} from '../support/test-worker.ts';

export const trackerScript = (worker: TestWorker) =>
  `<script type="module" src="${worker.address}/activity.js"></script>`;
export const FUNNEL = `<vezne-activity offer="club"></vezne-activity>
  <button id="subscribe" data-vezne-track="subscribe_clicked"><b>Abone ol</b></button>
  <button id="confirm" data-vezne-track="confirm_clicked">Onayla</button>`;

export async function sentActivities(worker: TestWorker): Promise<Activity[]> {
  return (await worker.calls('activity')).map(({body}) => body as Activity);
}

export async function sentTypes(worker: TestWorker): Promise<string[]> {
  return (await sentActivities(worker)).map(({type}) => type);
}

/** Waits until the Worker has received this many activities, and returns them. */
export function waitForActivities(worker: TestWorker, count: number): Promise<Activity[]> {
  return until(`${count} activities`, async () => {
    const all = await sentActivities(worker);
    return all.length >= count ? all : undefined;
  });
}

export async function click(frame: HTMLIFrameElement, selector: string): Promise<void> {
  (await inside(frame, selector)).click();
}

/** The keys in `localStorage` under which the tracker stores activities for a Worker. */
export const storedKeys = (worker: TestWorker) =>
  Object.keys(localStorage).filter((key) => key.includes(worker.address));
