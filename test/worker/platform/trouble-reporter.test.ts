import {expect, test} from 'vitest';
import {type Trouble, TroubleReporter} from '../../../worker/platform/trouble-reporter.ts';

test.for([
  ['ERR_004', ['credentials_refused']],
  ['ERR_020', []],
] as const)('after a refusal of transactionGet with %s, the reported troubles are %j', ([status, kinds]) => {
  const reported: Trouble[] = [];
  const reporter = new TroubleReporter((trouble, present) => void (present && reported.push(trouble)));
  const failure = {outcome: 'refused', status, message: ''} as const;
  reporter.recordCall('transactionGet', {interface: 'phs', token: true}, failure);
  expect(reported.map(({kind}) => kind)).toEqual(kinds);
});
