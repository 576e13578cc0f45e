/** What an isolate reports to the `Platform` object, and how often. */

import {expect, test} from 'vitest';
import type {PlatformFailure} from '../../../worker/platform/failure.ts';
import {type Report, Reporter} from '../../../worker/platform/reporter.ts';
import {advance, MINUTE} from '../support/clock.ts';
import {freshWorker} from '../support/fresh-worker.ts';

freshWorker();

function listen() {
  const reports: Report[] = [];
  const reporter = new Reporter((report) => void reports.push(report));
  const troubles = () => reports.flatMap((report) => report.troubles.map(({kind, present}) => `${kind} ${present}`));
  return {reports, reporter, troubles};
}

test('an isolate sends its counts once a minute, however much it counts', async () => {
  const {reports, reporter} = listen();
  for (let count = 0; count < 500; count += 1) {
    reporter.count('order_codes');
    reporter.sendIfDue();
  }
  await advance(MINUTE);
  for (let count = 0; count < 2; count += 1) reporter.sendIfDue();
  expect(reports.map(({counts}) => counts)).toEqual([{vezne_order_codes_total: 1}, {vezne_order_codes_total: 499}]);
});

test.for([
  ['ERR_004', ['credentials_refused true']],
  ['ERR_020', []],
] as const)('after a refusal of transactionGet with %s, the reported troubles are %j', ([status, expected]) => {
  const {reporter, troubles} = listen();
  const failure = {outcome: 'refused', status, message: ''} as const;
  reporter.recordCall('transactionGet', {interface: 'phs', token: true}, failure);
  expect(troubles()).toEqual(expected);
});

test('trouble is reported at once, once a minute, and its end once, for any number of calls', async () => {
  const {reports, reporter, troubles} = listen();
  const refused = {outcome: 'refused', status: 'ERR_002', message: ''} as const;
  const record = (failure: PlatformFailure | null) =>
    reporter.recordCall('bankGetAll', {interface: 'phs', token: false}, failure);
  for (const failure of [null, null, {...refused, status: 'ERR_005'}]) record(failure);
  expect(troubles()).toEqual([]);
  for (let call = 0; call < 50; call += 1) record(refused);
  record({outcome: 'unknown', fault: 'timeout'});
  expect(troubles()).toEqual(['address_refused true']);
  await advance(MINUTE);
  record(refused);
  for (let call = 0; call < 5; call += 1) record(null);
  expect(troubles().slice(1)).toEqual(['address_refused true', 'address_refused false']);
  const calls = reports.flatMap(({counts}) => Object.values(counts)).reduce((sum, count) => sum + count, 0);
  expect(calls).toBe(56);
});
