// @ts-check
// What somebody with a thousand addresses gets who has PINs sent to everybody. Promises: 10,000 numbers get at most 120 SMS, and who has subscribed
// nearby still gets one.

import {sprayNumbers} from '../faults/support/pin-attacks.ts';
import {runLanding, scaled} from './support/landing-run.mjs';

const numbers = scaled(10_000);
await runLanding(
  `${numbers} numbers from 1,000 addresses without a human check`,
  (bundles) => sprayNumbers(bundles, {numbers, addresses: 1_000}),
  {
    'at most 120 SMS': ({sms}) => sms <= 120,
    'who lives where somebody subscribed today still gets a PIN': ({proven}) => proven === 202,
  },
);
