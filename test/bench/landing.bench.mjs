// @ts-check
// What somebody with a thousand addresses gets from a landing page, and what becomes of its visits. Promises: of 100,000 guesses at one number's
// PIN at most 10 reach the platform; 10,000 numbers get at most 120 SMS, and who has subscribed nearby still gets one; of 10,000 forged requests none
// is accepted; of 5,000 activities none is lost, and none repeated but where an answer was.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {tellActivities} from '../faults/kit/activity-run.ts';
import {bundle} from '../faults/kit/bundles.ts';
import {sendForged} from '../faults/kit/forged-requests.ts';
import {guessPin, sprayNumbers} from '../faults/kit/pin-runs.ts';

const scale = Number(process.env['VEZNE_BENCH_SCALE'] ?? 1);
/** @param {number} full */
const part = (full) => Math.max(1, Math.round(full * scale));

/** @param {boolean} kept @param {string} promise */
function check(kept, promise) {
  console.log(`${kept ? 'kept  ' : 'BROKEN'}  ${promise}`);
  if (!kept) process.exitCode = 1;
}

const folder = mkdtempSync(path.join(tmpdir(), 'vezne-landing-'));
try {
  const bundles = await bundle(folder);
  let began = performance.now();
  const report = (/** @type {string} */ title, /** @type {object} */ figures) => {
    console.log(`\n${title} (${Math.round((performance.now() - began) / 1000)} s)`, figures);
    began = performance.now();
  };

  const guesses = part(100_000);
  const guessed = await guessPin(bundles, {guesses, addresses: 1_000});
  report(`${guesses} guesses at one number's PIN from 1,000 addresses`, guessed);
  check(guessed.reached <= 10, 'at most 10 reach the platform');

  const numbers = part(10_000);
  const sprayed = await sprayNumbers(bundles, {numbers, addresses: 1_000});
  report(`${numbers} numbers from 1,000 addresses without a human check`, sprayed);
  check(sprayed.sms <= 120, 'at most 120 SMS');
  check(sprayed.proven === 202, 'who lives where somebody subscribed today still gets a PIN');

  const forged = part(10_000);
  const sent = await sendForged(bundles, forged);
  report(`${forged} requests with altered origins, return addresses and prices`, sent);
  check(sent.accepted === 0 && sent.asked === 0, 'none accepted, nothing asked of the platform');

  const plan = {activities: part(5_000), kills: Math.ceil(10 * scale), faults: 0.3};
  const told = await tellActivities(bundles, plan);
  report(`${plan.activities} activities, 30 % faults, the Worker killed ${plan.kills} times`, told);
  check(told.lost === 0, 'none lost');
  check(told.repeated <= told.unanswered + told.cutOff, 'repeated no more often than answers were lost');
} finally {
  rmSync(folder, {recursive: true, force: true});
}
