// @ts-check
// Sends 5,000 activities of a landing page while 30 % of the calls to the platform fail and the Worker is killed ten
// times. Fails if an activity is lost, or if more activities are repeated than answers may have been lost.

import {sendActivities} from '../faults/support/activity-run.ts';
import {runLanding, scaled} from './support/landing-run.mjs';

const plan = {activities: scaled(5_000), kills: scaled(10), faults: 0.3};
await runLanding(
  `${plan.activities} activities, 30 % of calls fail, the Worker is killed ${plan.kills} times`,
  (bundles) => sendActivities(bundles, plan),
  {
    'no activity is lost': ({lost}) => lost === 0,
    'no more activities are repeated than answers may have been lost': ({repeated, unanswered, interrupted}) =>
      repeated <= unanswered + interrupted,
  },
);
