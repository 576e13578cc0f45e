// @ts-check
// What somebody with a thousand addresses gets who guesses at one number's PIN. Promise: of 100,000 guesses at most 10 reach the platform.

import {guessPin} from '../faults/support/pin-attacks.ts';
import {runLanding, scaled} from './support/landing-run.mjs';

const guesses = scaled(100_000);
await runLanding(
  `${guesses} guesses at one number's PIN from 1,000 addresses`,
  (bundles) => guessPin(bundles, {guesses, addresses: 1_000}),
  {
    'at most 10 reach the platform': ({reached}) => reached <= 10,
  },
);
