// @ts-check
// Sends 10,000 forged requests: from another origin, with another return address or with another price.
// Promise: the Worker accepts none of them.

import {sendForged} from '../faults/support/forged-requests.ts';
import {runLanding, scaled} from './support/landing-run.mjs';

const forged = scaled(10_000);
await runLanding(
  `${forged} requests with a forged origin, return address or price`,
  (bundles) => sendForged(bundles, forged),
  {
    'no request is accepted, and none leads to a call to the platform': ({accepted, calls}) =>
      accepted === 0 && calls === 0,
  },
);
