// @ts-check
// Plays a busy day of up to 20,000 orders at the end of a month, with kills of the Worker, money that is found late, and
// refunds. Its books must agree with the sandbox's database to the kuruş, and answer the ten questions of
// docs/books.md within 30 s each.

import {spawnSync} from 'node:child_process';
import process from 'node:process';
import {check, isSmallest, scaled, withBundles} from './support/bench.mjs';
import {BusyDay, localTime} from './support/busy-day.mjs';
import {checkBooks} from './support/check-books.mjs';

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** At midnight, half of all orders are checked at once, and workerd keeps three files of each open. */
const orders = Math.min(scaled(20_000, 40), Math.floor(openFilesLimit() * 0.6));
const refunds = Math.max(scaled(20, 8), Math.ceil(orders / 100));
const moved = Math.ceil(orders / 400);
const decided = Math.ceil(orders / 200);
/** Mobile billing refunds so many charges a day at most. */
const bills = Math.min(moved, 20);

/** How many files a process may have open. */
function openFilesLimit() {
  const {userLimits} = /** @type {{userLimits?: {open_files: {soft: number | 'unlimited'}}}} */ (
    process.report.getReport()
  );
  const limit = userLimits?.open_files.soft ?? 'unlimited';
  return limit === 'unlimited' ? Infinity : Number(limit);
}

/** @param {string} folder @param {import('../faults/support/bundles.ts').Bundles} bundles */
async function playBusyDay(folder, bundles) {
  const play = await BusyDay.open(folder, bundles);
  try {
    const at = (/** @type {number} */ hours) => play.midnight + hours * HOUR;
    await play.goTo(at(10));
    const begin = play.now();
    await play.step(`${orders} orders`, () => play.whileKilling(play.placeOrders(orders)));
    await play.step('money in time, and phone bills', async () => {
      const made = await play.pay(0, begin, play.now());
      await play.watch('1');
      await play.watch('phone', true);
      await play.whileKilling(play.allBooked());
      return made;
    });
    for (const hour of isSmallest ? [12.5, 14.5] : [11.5, 12.5, 13.5, 14.5]) await play.goTo(at(hour));
    await play.step('money that is late for some orders', async () => {
      await play.watch('2');
      const made = await play.pay(1, at(14.2), at(14.5));
      await play.whileKilling(play.allBooked());
      return made;
    });
    await play.step('refunds, decisions, and money that gets another order', async () => {
      const asked = await play.refund(refunds);
      const matched = await play.move(({code}) => code === null, moved);
      const again = await play.move(({code}) => code !== null, moved);
      const decisions = await play.decide(decided);
      const given = await play.refundCharges(bills);
      await play.goTo(at(18));
      await play.watch('3');
      const settled = await play.endDay();
      await play.whileKilling(play.allBooked());
      return [asked, matched, again, decisions, given, settled];
    });
    await play.step('money before midnight that is found after it', async () => {
      await play.control('faults', {operation: '/transaction/search', kind: '500-html'});
      await play.goTo(at(23.97));
      const made = await play.pay(2, at(23), at(24) - MINUTE);
      await play.goTo(at(24.2));
      await play.control('faults', {operation: '/transaction/search', kind: 'clear'});
      await play.watch('4');
      await play.whileKilling(play.allBooked());
      return made;
    });
    const {body} = await play.ask(`/merchant/v1/days/${play.day}?service=DEMO`);
    await play.goTo(Date.parse(body.closes_at) + MINUTE);
    const closed = await play.files(play.day);
    await play.step('late corrections', async () => {
      await play.watch('5');
      const made = await play.pay(3, at(12), at(24) - MINUTE);
      const again = await play.move(({code, day}) => code !== null && day === play.day, moved);
      const asked = await play.refund(refunds);
      await play.whileKilling(play.allBooked());
      await play.goTo(play.now() + 2 * HOUR);
      const settled = await play.endDay();
      await play.whileKilling(play.allBooked());
      return [made, again, asked, settled];
    });
    await play.goTo(at(48 - 2));
    await play.watch('6');
    await play.allBooked();
    check(
      'a closed day has the same file at the end of the next day',
      JSON.stringify(await play.files(play.day)) === JSON.stringify(closed),
    );
    await checkBooks(play, folder);
    console.log(`${play.kills} kills, last at ${localTime(play.now())}`);
  } finally {
    await play.stop();
  }
}

// The clock that goes ahead has to be compiled.
if (isSmallest && spawnSync('cc', ['--version']).status !== 0)
  console.log('not judged  the busy day needs a C compiler');
else await withBundles(playBusyDay);
