/**
 * Sends the activities of a landing page's visitors to a Worker that is killed repeatedly while its calls to the
 * platform fail, and counts what the platform receives.
 */

import {setTimeout as wait} from 'node:timers/promises';
import type {Bundles} from './bundles.ts';
import {inParallel, LandingStack} from './landing-stack.ts';
import {ORIGIN} from './worker-plans.ts';

const CONCURRENCY = 16;
/**
 * How long to wait for the next activity. In 1 of 5,000 cases, a call fails seven times in a row, and the Worker then
 * waits up to five minutes before the next attempt.
 */
const PATIENCE_MS = 330_000;
/** The number of Activities objects. Each sends one call at a time, so a kill can interrupt this many calls. */
const SHARDS = 16;
const TYPES = ['visit', 'subscribe_clicked', 'confirm_clicked'] as const;

export interface ActivityPlan {
  readonly activities: number;
  readonly kills: number;
  /** The fraction of calls to the platform that fail, 0 to 1. */
  readonly faults: number;
}

export interface ActivityFigures {
  /** Activities that the Worker answered with `202` and that never reached the platform. */
  readonly lost: number;
  /** How many times the platform received an activity that it already had. */
  readonly repeated: number;
  /** Calls that the platform executed and whose answer was lost. */
  readonly unanswered: number;
  /** The most calls that the kills can have interrupted. */
  readonly interrupted: number;
  /** Visitors whose activities reached the platform in a different sequence from the one in which they were sent. */
  readonly outOfOrder: number;
  readonly calls: number;
  readonly seconds: number;
}

interface ReceivedActivity {
  readonly tracking_id: string;
  readonly url: string;
}

export async function sendActivities(
  bundles: Bundles,
  {activities, kills, faults}: ActivityPlan,
): Promise<ActivityFigures> {
  const stack = await LandingStack.open(bundles);
  const startedAt = performance.now();
  try {
    await stack.line.set(['reset-before', 'reset-after', 'truncated'], {match: '/landing/user-activity', rate: faults});
    let isBack = Promise.resolve();
    let accepted = 0;
    const killing = (async () => {
      for (let kill = 0; kill < kills; kill += 1) {
        // A kill is due after a certain number of activities was accepted and sent, so that some kills interrupt the
        // acceptance and others the sending.
        const due = (2 * activities * (kill + 0.5)) / kills;
        while (accepted + Math.min(stack.line.attempts('user-activity'), activities) < due) await wait(20);
        await stack.worker.kill();
        isBack = stack.worker.restart();
        await isBack;
      }
    })();
    const visitors = Math.ceil(activities / TYPES.length);
    await inParallel(visitors, CONCURRENCY, async (visitor) => {
      const types = TYPES.slice(0, Math.min(TYPES.length, activities - visitor * TYPES.length));
      for (const [step, type] of types.entries()) {
        await send(stack, () => isBack, {visitor, step, type});
        accepted += 1;
      }
    });
    await killing;
    await waitForAll(stack, activities);
    return {
      ...(await countActivities(stack, {activities, kills, faults})),
      seconds: Math.round((performance.now() - startedAt) / 1000),
    };
  } finally {
    await stack.close();
  }
}

/**
 * Sends an activity until the Worker accepts it. Each attempt has the same `event_id`, as in the tracker, so that the
 * Worker counts the activity once.
 */
async function send(
  stack: LandingStack,
  untilBack: () => Promise<void>,
  {visitor, step, type}: {visitor: number; step: number; type: (typeof TYPES)[number]},
): Promise<void> {
  const body = {
    offer: 'club',
    type,
    tracking_id: `t-${visitor}`,
    event_id: `event-${visitor}-${step}`,
    url: `${ORIGIN}/club?step=${visitor}-${step}`,
  };
  for (;;) {
    await untilBack();
    const status = await stack.request('/v1/activities', {body}).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 202) return;
    await wait(50);
  }
}

/**
 * Waits until the platform has every activity, or has received nothing new for a while. The Worker's alarms send the
 * activities.
 */
async function waitForAll(stack: LandingStack, activities: number): Promise<void> {
  let received = 0;
  for (let deadline = Date.now() + PATIENCE_MS; received < activities && Date.now() < deadline; await wait(1_000)) {
    const count = new Set((await receivedActivities(stack)).map(({url}) => url)).size;
    if (count > received) deadline = Date.now() + PATIENCE_MS;
    received = count;
  }
}

/** The activities at the platform, oldest first. */
async function receivedActivities({platform}: LandingStack): Promise<ReceivedActivity[]> {
  const {activities} = (await platform.control('activities?limit=10000')) as {activities: ReceivedActivity[]};
  return activities.toReversed();
}

async function countActivities(
  stack: LandingStack,
  {activities, kills}: ActivityPlan,
): Promise<Omit<ActivityFigures, 'seconds'>> {
  const all = await receivedActivities(stack);
  const distinct = new Set(all.map(({url}) => url));
  const byVisitor = Map.groupBy(distinct, (url) => url.split('-')[0]);
  return {
    lost: activities - distinct.size,
    repeated: all.length - distinct.size,
    unanswered: stack.line.faultCount('reset-after') + stack.line.faultCount('truncated'),
    interrupted: kills * SHARDS,
    outOfOrder: [...byVisitor.values()].filter((urls) => urls.join() !== [...urls].sort().join()).length,
    calls: all.length,
  };
}
