/** Tests how the merchant's server lists commands. */

import {runInDurableObject} from 'cloudflare:test';
import {expect, test} from 'vitest';
import {DAY} from '../../support/clock.ts';
import {read} from './support/merchant-server.ts';
import {commands, liftPlatformLimits, paidOrder, runAlarmAfter, service} from './support/refundable-orders.ts';

liftPlatformLimits();

test('a long list of commands can be read page by page, and contains each command once', async () => {
  const all = Array.from({length: 150}, (_, index) => index);
  await runInDurableObject(commands(), (_object, {storage}) => {
    for (const number of all) {
      const query = `INSERT INTO commands (id, name, subject, state, stored, created_at) VALUES (?, 'refundCharge', ?, 'unknown', ?, ?)`;
      storage.sql.exec(
        query,
        `c-${number}`,
        String(number),
        JSON.stringify({service, charge: String(number)}),
        Date.now() + number,
      );
    }
  });
  const first = await read('listCommands', {state: 'unknown'});
  const second = await read('listCommands', {state: 'unknown', cursor: first.next_cursor ?? ''});
  expect([...first.items, ...second.items].map(({charge_id}) => charge_id)).toEqual(all.map(String));
  expect([first.items.length, first.total, second.next_cursor]).toEqual([100, 150, null]);
});

test('a settled command is listed for a week', async () => {
  await read('createRefund', await paidOrder());
  await runAlarmAfter(6 * DAY);
  expect((await read('listCommands', {state: 'done'})).items).toHaveLength(1);
  await runAlarmAfter(DAY);
  expect((await read('listCommands', {})).items).toEqual([]);
});
