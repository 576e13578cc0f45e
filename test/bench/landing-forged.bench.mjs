// @ts-check
// Sends 10,000 forged requests: with a wrong origin, a wrong return address or a wrong price. Fails if the Worker
// accepts one of them or calls the platform for it.

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
