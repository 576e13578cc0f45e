/** Tests the check of the egress by itself. test/faults/doctor.test.ts has relays whose clock or address is wrong. */

import {expect, test} from 'vitest';
import type {Context} from '../../../worker/context.ts';
import {egress} from '../../../worker/doctor/check-egress.ts';
import {advance, SECOND} from '../support/clock.ts';
import {freshWorker} from '../support/fresh-worker.ts';

freshWorker();

test('the relay’s clock is compared when the relay answers, however long other checks take', async () => {
  const relay = {about: () => Promise.resolve({now: Date.now(), address: '192.0.2.7', sources: []})};
  const context = {
    config: {merchant: {ip: '192.0.2.7'}, micropayment: null},
    egress: {relay, oneAttempt: true},
  } as unknown as Context;
  const about = await egress.read(context);
  await advance(3 * SECOND);
  expect(egress.find?.(about, context)).toMatchObject({state: 'ok'});
});
