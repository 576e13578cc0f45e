// @ts-check
// What becomes of the visits of a landing page whose platform fails three times in ten, and whose Worker is killed. Promises: of 5,000 activities none
// is lost, and none repeated but where an answer was.

import {sendActivities} from '../faults/support/activity-run.ts';
import {runLanding, scaled} from './support/landing-run.mjs';

const plan = {activities: scaled(5_000), kills: scaled(10), faults: 0.3};
await runLanding(
  `${plan.activities} activities, 30 % faults, the Worker killed ${plan.kills} times`,
  (bundles) => sendActivities(bundles, plan),
  {
    'none lost': ({lost}) => lost === 0,
    'repeated no more often than answers were lost': ({repeated, unanswered, cutOff}) =>
      repeated <= unanswered + cutOff,
  },
);
