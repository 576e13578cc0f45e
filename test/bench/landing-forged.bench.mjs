// @ts-check
// Sends 10,000 forged requests: with a wrong origin, a wrong return URL or a wrong price. Fails if the Worker accepts
// one of them or calls the platform for it.

import {sendForged} from '../faults/support/forged-requests.ts';
import {runLanding, scaled} from './support/landing-run.mjs';

const forged = scaled(10_000);
await runLanding(
  `${forged} requests with a forged origin, return URL or price`,
  (bundles) => sendForged(bundles, forged),
  {
    'the Worker accepts no request and does not call the platform': ({accepted, calls}) =>
      accepted === 0 && calls === 0,
  },
);
