/** Visitors of a landing page, told of over a line that fails by a Worker that is killed. */

import {setTimeout as wait} from 'node:timers/promises';
import type {Bundles} from './bundles.ts';
import {inParallel, LandingStack} from './landing-stack.ts';
import {ORIGIN} from './worker-plans.ts';

const LANES = 16;
/** Without anything new: a line whose calls fail seven times in a row, as one of 5,000 does, pauses for minutes, five at most. */
const PATIENCE_MS = 330_000;
/** The Worker's objects that tell the platform, each one call at a time: so many may be under way when it is killed. */
const SHARDS = 16;
const TYPES = ['visit', 'subscribe_clicked', 'confirm_clicked'] as const;

export interface ActivityPlan {
  readonly activities: number;
  readonly kills: number;
  /** Share of the platform's answers that fail. */
  readonly faults: number;
}

export interface ActivityFigures {
  /** Activities that were answered `202` and never reached the platform. */
  readonly lost: number;
  /** How often the platform heard one again. */
  readonly repeated: number;
  /** Calls that the platform carried out and whose answer was lost on the way. */
  readonly unanswered: number;
  /** How many more the killed Workers may have had under way. */
  readonly cutOff: number;
  /** Visitors whose activities arrived in another order than they were told in. */
  readonly disordered: number;
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
  const began = performance.now();
  try {
    await stack.line.set(['reset-before', 'reset-after', 'truncated'], {match: '/landing/user-activity', rate: faults});
    let back = Promise.resolve();
    let answered = 0;
    const killing = (async () => {
      for (let kill = 0; kill < kills; kill += 1) {
        // By what was taken and what was told, so that it is killed in the midst of both.
        const due = (2 * activities * (kill + 0.5)) / kills;
        while (answered + Math.min(stack.line.attempts('user-activity'), activities) < due) await wait(20);
        await stack.worker.kill();
        back = stack.worker.startAgain();
        await back;
      }
    })();
    const visitors = Math.ceil(activities / TYPES.length);
    await inParallel(visitors, LANES, async (visitor) => {
      const own = TYPES.slice(0, Math.min(TYPES.length, activities - visitor * TYPES.length));
      for (const [step, type] of own.entries()) {
        await send(stack, () => back, {visitor, step, type});
        answered += 1;
      }
    });
    await killing;
    await untilAll(stack, activities);
    return {
      ...(await count(stack, {activities, kills, faults})),
      seconds: Math.round((performance.now() - began) / 1000),
    };
  } finally {
    await stack.close();
  }
}

/** Until it is answered, as the tracker does: under the same name, so that it counts once. */
async function send(
  stack: LandingStack,
  back: () => Promise<void>,
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
    await back();
    const status = await stack.ask('/v1/activities', {body}).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 202) return;
    await wait(50);
  }
}

/** A killed Worker's alarms come by themselves. */
async function untilAll(stack: LandingStack, activities: number): Promise<void> {
  let known = 0;
  for (let deadline = Date.now() + PATIENCE_MS; known < activities && Date.now() < deadline; await wait(1_000)) {
    const now = new Set((await receivedActivities(stack)).map(({url}) => url)).size;
    if (now > known) deadline = Date.now() + PATIENCE_MS;
    known = now;
  }
}

/** Oldest first. */
async function receivedActivities({platform}: LandingStack): Promise<ReceivedActivity[]> {
  const {activities} = (await platform.control('activities?limit=10000')) as {activities: ReceivedActivity[]};
  return activities.toReversed();
}

async function count(
  stack: LandingStack,
  {activities, kills}: ActivityPlan,
): Promise<Omit<ActivityFigures, 'seconds'>> {
  const all = await receivedActivities(stack);
  const once = new Set(all.map(({url}) => url));
  const firsts = Map.groupBy(once, (url) => url.split('-')[0]);
  return {
    lost: activities - once.size,
    repeated: all.length - once.size,
    unanswered: stack.line.faultCount('reset-after') + stack.line.faultCount('truncated'),
    cutOff: kills * SHARDS,
    disordered: [...firsts.values()].filter((urls) => urls.join() !== [...urls].sort().join()).length,
    calls: all.length,
  };
}
