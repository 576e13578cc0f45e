/** Finding a service of mobile billing. */

import {expect, test} from 'vitest';
import {findBilledService, requireBilledService} from '../../../worker/routes/services.ts';
import {logLines} from '../support/log-lines.ts';

const config = {
  services: new Map([
    ['BANK', {micropaymentId: null}],
    ['GOLD', {micropaymentId: '7'}],
    ['SILVER', {micropaymentId: '7'}],
    ['9', {micropaymentId: '8'}],
    ['COPPER', {micropaymentId: '9'}],
  ]),
  billedServices: new Map([
    ['7', 'GOLD'],
    ['8', '9'],
    ['9', 'COPPER'],
  ]),
};
const GOLD = {service: 'GOLD', serviceId: '7'};

test.for<[by: Parameters<typeof findBilledService>[1], found: ReturnType<typeof findBilledService>]>([
  [{name: 'GOLD'}, GOLD],
  [{name: '7'}, GOLD],
  [{serviceId: '7'}, GOLD],
  [{name: 'SILVER'}, GOLD],
  [{name: '9'}, {service: '9', serviceId: '8'}],
  [{serviceId: '9'}, {service: 'COPPER', serviceId: '9'}],
  [{serviceId: 'GOLD'}, null],
  [{name: 'BANK'}, null],
  [{name: 'none'}, null],
])('for %o, findBilledService returns %o', ([by, found]) => {
  expect(findBilledService(config, by)).toEqual(found);
});

test('an unknown service is reported as the caller’s error, or logged as the operator’s error', () => {
  expect(() => requireBilledService(config, 'none')).toThrow('unknown_service');
  expect(logLines()).toEqual([]);
  expect(() => requireBilledService(config, 'none', 'misconfigured')).toThrow('misconfigured');
  expect(logLines('misconfigured')).toEqual([{level: 'error', event: 'misconfigured', names: ['SERVICES']}]);
});
