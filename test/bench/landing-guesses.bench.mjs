// @ts-check
// Guesses the PIN of one mobile number 100,000 times from 1,000 IP addresses. Fails if more than 10 guesses reach the
// platform.

import {guessPin} from '../faults/support/pin-attacks.ts';
import {runLanding, scaled} from './support/landing-run.mjs';

const guesses = scaled(100_000);
await runLanding(
  `${guesses} guesses of one number's PIN from 1,000 addresses`,
  (bundles) => guessPin(bundles, {guesses, addresses: 1_000}),
  {
    'at most 10 guesses reach the platform': ({reached}) => reached <= 10,
  },
);
