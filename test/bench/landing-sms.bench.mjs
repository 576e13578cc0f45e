// @ts-check
// Requests PINs for 10,000 mobile numbers from 1,000 IP addresses, without passing a human check. Fails if more than
// 120 SMS are sent, or if a shopper gets no PIN in a subnet where somebody has subscribed today.

import {sprayNumbers} from '../faults/support/pin-attacks.ts';
import {runLanding, scaled} from './support/landing-run.mjs';

const numbers = scaled(10_000);
await runLanding(
  `${numbers} numbers from 1,000 addresses without a human check`,
  (bundles) => sprayNumbers(bundles, {numbers, addresses: 1_000}),
  {
    'at most 120 SMS': ({sms}) => sms <= 120,
    'a shopper in a subnet with a subscription today gets a PIN': ({proven}) => proven === 202,
  },
);
