// @ts-check
// Requests that no page of ours would make, from another origin, back to another address, for another price. Promise: of 10,000 none is accepted.

import {sendForged} from '../faults/support/forged-requests.ts';
import {runLanding, scaled} from './support/landing-run.mjs';

const forged = scaled(10_000);
await runLanding(
  `${forged} requests with altered origins, return addresses and prices`,
  (bundles) => sendForged(bundles, forged),
  {
    'none accepted, nothing asked of the platform': ({accepted, asked}) => accepted === 0 && asked === 0,
  },
);
