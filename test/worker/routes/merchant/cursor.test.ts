/** Tests the cursors of lists, and the list of commands. */

import {runInDurableObject} from 'cloudflare:test';
import {expect, test} from 'vitest';
import {Cursor} from '../../../../worker/contract/merchant/fields.ts';
import {type CursorContext, readCursor} from '../../../../worker/routes/merchant/cursor.ts';
import {advance, DAY, MINUTE} from '../../support/clock.ts';
import {read} from './support/merchant-server.ts';
import {commands, liftPlatformLimits, paidOrder, runAlarmAfter, service} from './support/refundable-orders.ts';

liftPlatformLimits();

type Secrets = CursorContext['config']['sessionSecrets'];

const contextWith = (sessionSecrets: Secrets, services: readonly string[] | null = null): CursorContext => ({
  config: {sessionSecrets},
  caller: {services},
});
const SECRET = 'a session secret of at least 32 characters';
const NEXT = 'the session secret after the next rotation';
const context = contextWith([SECRET]);
const query = {service: 'DEMO', limit: 20};
const parse = (cursor: string | undefined, endpoint = 'orders', more: object = {}, as = context) =>
  readCursor<number | string>({...query, cursor, ...more}, endpoint, as);
const encode = async (start: number | string, as = context) =>
  String(await (await parse(undefined, 'orders', {}, as)).next(start));
const refused = {
  code: 'invalid_request',
  options: {fields: [{path: 'cursor', message: 'This cursor is too old, or not of this request.'}]},
};

test('a cursor keeps its position', async () => {
  for (const position of [0, 100, 2_147_483_647, Date.UTC(2099, 0, 1)]) {
    expect((await parse(await encode(position))).start).toBe(position);
  }
});

test('a cursor keeps its reference, which it does not show, and needs no encoding in an address', async () => {
  for (const reference of ['S-1', '1', 'a.b~c', 'Sipariş №7', '%2E', '', '€'.repeat(255), '"\\'.repeat(127), 'ÿ~>?']) {
    const cursor = await encode(reference);
    expect(Cursor.safeParse(cursor).success).toBe(true);
    expect(encodeURIComponent(cursor)).toBe(cursor);
    const shown = cursor.split('.').map((part) => atob(part.replaceAll('-', '+').replaceAll('_', '/')));
    if (reference.length > 3) expect(shown.join('.')).not.toContain(unescape(encodeURIComponent(reference)));
    expect((await parse(cursor)).start).toBe(reference);
  }
});

test('a cursor is refused for another request, another list, and a key for other services', async () => {
  const cursor = await encode('S-7');
  for (const [endpoint, more, as] of [
    ['orders', {limit: 21}, context],
    ['refunds', {}, context],
    ['orders', {}, contextWith([SECRET], ['DEMO'])],
    ['orders', {}, contextWith([NEXT])],
  ] as const)
    await expect(parse(cursor, endpoint, more, as)).rejects.toMatchObject(refused);
});

test('a cursor that somebody made up or changed is refused', async () => {
  const cursor = await encode(7);
  const [nonce = '', bytes = ''] = cursor.split('.');
  const letters = [...Array(cursor.length).keys()].filter((at) => cursor[at] !== '.' && at !== nonce.length - 1);
  const changed = letters
    .slice(0, -1)
    .map((at) => cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1));
  for (const forged of [
    ...changed,
    '',
    '.',
    'x',
    '!',
    'a.b.c',
    nonce,
    `.${bytes}`,
    `${nonce}.`,
    `${bytes}.${nonce}`,
    btoa('1.7.x'),
  ])
    await expect(parse(forged), forged).rejects.toMatchObject(refused);
});

test('a cursor is read for 30 days, also while SESSION_SECRET is rotated', async () => {
  const cursor = await encode('S-7');
  await advance(30 * DAY - MINUTE);
  expect((await parse(cursor, 'orders', {}, contextWith([NEXT, SECRET]))).start).toBe('S-7');
  await advance(2 * MINUTE);
  await expect(parse(cursor)).rejects.toMatchObject(refused);
});

test('a long list of commands can be read page by page, and contains each command once', async () => {
  const all = Array.from({length: 150}, (_, index) => index);
  await runInDurableObject(commands(), (_object, {storage}) => {
    for (const number of all) {
      const insert = `INSERT INTO commands (id, name, subject, state, stored, created_at) VALUES (?, 'refundCharge', ?, 'unknown', ?, ?)`;
      storage.sql.exec(
        insert,
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
