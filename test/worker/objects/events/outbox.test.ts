import {abortAllDurableObjects, evictDurableObject, runInDurableObject} from 'cloudflare:test';
import {expect, test} from 'vitest';
import {DeliveryStore} from '../../../../worker/objects/events/delivery-store.ts';
import type {NewEvent} from '../../../../worker/objects/events/event.ts';
import {OutboxStore} from '../../../../worker/objects/events/outbox-store.ts';
import {type ObjectStorage, type Sql, sqlPart} from '../../../../worker/objects/object-storage.ts';
import {SECRET} from '../../../support/webhook-inbox.ts';
import {advance, DAY, HOUR, MINUTE, SECOND, wireTime} from '../../support/clock.ts';
import {alarmIn, repeatAlarm, replaceBindings} from '../../support/durable-objects.ts';
import {notice, receivedNotices} from '../../support/events.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {deliver, freshReceiver, receivedRequests, setReceiver, outboxObject} from '../../support/webhook-receiver.ts';

freshWorker();
freshReceiver();

const append = (...events: NewEvent[]) => outboxObject().append(events);
const read = (position = 0) => outboxObject().read(position);
const idsOf = async () => (await read()).items.map(({id}) => id);
const receivedOrders = () => receivedNotices();
/** How many rows the statements of `work` read. */
const rowsReadBy = (work: (storage: ObjectStorage) => void): Promise<number> =>
  runInDurableObject(outboxObject(), (_object, {storage}) => {
    let sum = 0;
    const sql: Sql = (strings, ...values) => {
      const {text, values: bindings} = sqlPart(strings, ...values);
      const cursor = storage.sql.exec(text, ...bindings);
      const rows = cursor.toArray();
      sum += cursor.rowsRead;
      return rows as never;
    };
    work({sql, kv: storage.kv} as ObjectStorage);
    return sum;
  });
/** Delivers each event that becomes due within the next `ms`, at the time at which it is due. */
async function deliverFor(ms: number): Promise<void> {
  for (const end = Date.now() + ms; ;) {
    const next = await alarmIn(outboxObject());
    if (next === null || Date.now() + next > end) return;
    await advance(next);
    await deliver();
  }
}

test('the list has whole events from any position, in the order in which they were appended', async () => {
  await append(notice('S-1'), notice('S-2'));
  await append(notice('S-1', 2));
  const page = await read();
  expect(page).toEqual({
    items: [
      ['S-1', '1'],
      ['S-2', '1'],
      ['S-1', '2'],
    ].map(([order, notice_code]) => ({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/) as string,
      type: 'payment_notice.created',
      created_at: wireTime(),
      data: {service: 'DEMO', order, amount: '149.90', bank_code: 'garanti', notice_code},
    })),
    position: 3,
    more: false,
  });
  expect(await read(1)).toEqual({...page, items: page.items.slice(1)});
  expect(await read(3)).toEqual({items: [], position: 3, more: false});
});

test('the backlog says when a delivery was last given up, even if more than a thousand were given up before', async () => {
  const [longAgo, now] = [Date.now() - 3 * DAY, Date.now()];
  await runInDurableObject(outboxObject(), (_outbox, {storage: {sql}}) => {
    const insert = `WITH RECURSIVE numbers(seq) AS (SELECT ? UNION ALL SELECT seq + 1 FROM numbers WHERE seq < ?)
      INSERT INTO deliveries (subject, seq, webhook, state, attempts, queued_at, tried_at)
      SELECT 'S-1', seq, 'wh_configured', 'dead', 10, ?, ? FROM numbers`;
    // An old event can be given up again after newer events, because the merchant can resend it.
    sql.exec(insert, 1, 1, longAgo, now);
    sql.exec(insert, 2, 1_201, longAgo, longAgo);
  });
  expect(await outboxObject().backlog()).toMatchObject({waiting: 0, dead: 1_000, sinceDeadMs: Date.now() - now});
});

test('an event that is appended again is stored once, at its old position', async () => {
  await append(notice('S-1'), notice('S-2'));
  const ids = await idsOf();
  await evictDurableObject(outboxObject());
  await append(notice('S-2'), notice('S-1'), notice('S-3'));
  expect(await idsOf()).toEqual([...ids, expect.any(String)]);
});

test('a feed of 150 events has a page of 100 events and a page of 50', async () => {
  await append(...Array.from({length: 150}, (_, index) => notice(`S-${index}`)));
  const first = await read();
  expect([first.items.length, first.position, first.more]).toEqual([100, 100, true]);
  const second = await read(first.position);
  expect([second.items.length, second.position, second.more]).toEqual([50, 150, false]);
});

test('a search without a filter reads 101 rows for a page of 100 events', async () => {
  await append(...Array.from({length: 250}, (_, index) => notice(`S-${index}`)));
  const rowsRead = await rowsReadBy(({sql, kv}) => {
    const events = new OutboxStore({sql, kv});
    expect(events.search(0, {subject: null, type: null, limit: null})).toMatchObject({position: 100, more: true});
  });
  expect(rowsRead).toBe(101);
});

test('another event of an order with 500 delivered events reads no more rows than that of a new order', async () => {
  const [now, webhook] = [Date.now(), 'wh_configured'];
  await runInDurableObject(outboxObject(), (_object, {storage}) => {
    storage.sql.exec(
      `WITH RECURSIVE numbers(seq) AS (SELECT 1 UNION ALL SELECT seq + 1 FROM numbers WHERE seq < 503)
      INSERT INTO events (seq, id, subject, body, appended_at)
      SELECT seq, 'evt_' || seq, iif(seq < 503, 'S-1', 'S-2'), '{}', ? FROM numbers`,
      now,
    );
  });
  const add = (seq: number, subject: string) =>
    rowsReadBy((all) => new DeliveryStore(all).add(webhook, {seq, subject}, now));
  const setDelivered = (subject: string) =>
    rowsReadBy((all) => {
      const deliveries = new DeliveryStore(all);
      const [first] = deliveries.ofSubject([webhook], subject, 1);
      if (first) deliveries.setDelivered(first, now);
    });
  const rows = {ofNew: [await add(503, 'S-2'), await setDelivered('S-2')], ofOld: [await add(501, 'S-1')]};
  await add(502, 'S-1');
  await setDelivered('S-1');
  expect({...rows, ofOld: [...rows.ofOld, await setDelivered('S-1')]}).toEqual({ofNew: [0, 4], ofOld: [0, 4]});
});

test('an event reaches the merchant’s server once, with a signature that the public library accepts', async () => {
  await append(notice('S-1'));
  const [event] = (await read()).items;
  expect(await deliver()).toBe(true);
  expect(await receivedRequests()).toEqual([{id: event?.id, body: event, genuine: true, taken: true, signatures: 1}]);
  await deliver();
  expect(await receivedRequests()).toHaveLength(1);
});

test('during a rotation both secrets sign, and later only the new secret; a plain-text secret is the key itself', async () => {
  const text = 'a secret of the merchant, and long enough';
  const rotated = {WEBHOOK_SECRET: text, WEBHOOK_SECRET_PREVIOUS: SECRET};
  await replaceBindings(outboxObject(), rotated);
  await append(notice('S-1'));
  await deliver();
  await setReceiver({secret: text, format: 'raw'});
  await append(notice('S-2'));
  await deliver();
  expect((await receivedRequests()).map(({genuine, signatures}) => [genuine, signatures])).toEqual([
    [true, 2],
    [true, 2],
  ]);
  await replaceBindings(outboxObject(), {WEBHOOK_SECRET: text});
  await append(notice('S-3'));
  await deliver();
  await setReceiver({});
  await append(notice('S-4'));
  await deliver();
  // A receiver that still has the old secret rejects the signature.
  expect((await receivedRequests()).slice(2).map(({genuine, signatures}) => [genuine, signatures])).toEqual([
    [true, 1],
    [false, 1],
  ]);
});

test('a refused event is retried with growing delays, and later events of the same order wait for it', async () => {
  await setReceiver({refused: 1, about: '"S-1"'});
  await append(notice('S-1'), notice('S-2'), notice('S-1', 2));
  await deliver();
  expect((await receivedOrders()).sort()).toEqual(['S-1 1 refused', 'S-2 1']);
  const delays: number[] = [];
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const delayMs = (await alarmIn(outboxObject())) ?? 0;
    delays.push(delayMs);
    await advance(delayMs);
    await deliver();
  }
  for (const [index, expectedMs] of [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE].entries()) {
    expect(delays[index]).toBeGreaterThanOrEqual(expectedMs * 0.75);
    expect(delays[index]).toBeLessThanOrEqual(expectedMs * 1.25);
  }
  await setReceiver({});
  await deliverFor(HOUR);
  expect((await receivedOrders()).slice(-2)).toEqual(['S-1 1', 'S-1 2']);
});

test('while the receiver does not answer, events can be appended and read, and other orders’ events are sent', async () => {
  await setReceiver({silent: true});
  await append(notice('S-1'));
  const delivering = deliver();
  await expect.poll(receivedOrders).toEqual(['S-1 1 refused']);
  await append(notice('S-2'));
  await expect.poll(receivedOrders).toEqual(['S-1 1 refused', 'S-2 1 refused']);
  expect((await read()).items).toHaveLength(2);
  await setReceiver({});
  await delivering;
  await deliverFor(MINUTE);
  expect((await receivedOrders()).slice(2).sort()).toEqual(['S-1 1', 'S-2 1']);
});

test('after a crash in the middle of a delivery, the alarm delivers the events without any new request', async () => {
  await setReceiver({silent: true});
  await append(notice('S-1'));
  void deliver().catch(() => {});
  await expect.poll(receivedOrders).toHaveLength(1);
  // This event has the same subject, so it waits for the first event. Only the event that is being sent is due.
  await append(notice('S-1', 2));
  await abortAllDurableObjects();
  await setReceiver({});
  await repeatAlarm(outboxObject());
  await deliverFor(MINUTE);
  expect((await receivedOrders()).slice(1)).toEqual(['S-1 1', 'S-1 2']);
});

test('after three days of failures an event is dead: it is listed, blocks no later event, and can be sent again', async () => {
  await setReceiver({refused: 1, about: '"notice_code":"1"', status: 500});
  await append(notice('S-1'), notice('S-1', 2));
  const startedAt = Date.now();
  await deliverFor(4 * DAY);
  const [event] = (await read()).items;
  const dead = await outboxObject().readDead(0, null);
  expect(dead).toEqual({
    items: [
      {
        event,
        webhook: 'wh_configured',
        attempts: expect.any(Number) as number,
        last_attempt_at: wireTime(startedAt + 3 * DAY),
        last_status: 500,
        last_fault: null,
      },
    ],
    position: 1,
    more: false,
    total: 1,
  });
  expect((await receivedOrders()).filter((text) => text === 'S-1 1 refused')).toHaveLength(
    dead.items[0]?.attempts ?? 0,
  );
  expect((await receivedOrders()).slice(-1)).toEqual(['S-1 2']);
  expect(logLines('event_dead')).toEqual([
    {
      level: 'error',
      event: 'event_dead',
      alarm_id: expect.any(String) as string,
      event_id: event?.id,
      type: 'payment_notice.created',
      webhook: 'wh_configured',
      attempt: dead.items[0]?.attempts,
      status: 500,
    },
  ]);

  await setReceiver({});
  expect(await outboxObject().resend(event?.id ?? '', null, null)).toBe('waiting');
  await deliver();
  expect((await receivedOrders()).slice(-1)).toEqual(['S-1 1']);
  expect(await outboxObject().readDead(0, null)).toEqual({items: [], position: 0, more: false, total: 0});
  expect(await outboxObject().resend('evt_00000000000000000000000000000000', null, null)).toBe('not_found');
});

test('an event that is answered with 410 is not sent again, and Retry-After sets the time of a retry', async () => {
  await setReceiver({refused: 1, status: 410});
  await append(notice('S-1'));
  await deliver();
  expect(
    (await outboxObject().readDead(0, null)).items.map(({attempts, last_status}) => [attempts, last_status]),
  ).toEqual([[1, 410]]);
  await setReceiver({refused: 1, headers: {'retry-after': '600'}});
  await append(notice('S-2'));
  await deliver();
  expect(await alarmIn(outboxObject())).toBe(10 * MINUTE);
});

test('a redirect by the receiver counts as a refusal and is not followed', async () => {
  await setReceiver({refused: 1, status: 307, headers: {location: '/elsewhere'}});
  await append(notice('S-1'));
  await deliver();
  expect(await receivedOrders()).toEqual(['S-1 1 refused']);
});

test('events from before a webhook was configured are listed, but are sent only on request', async () => {
  await replaceBindings(outboxObject(), {WEBHOOK_URL: undefined});
  await append(notice('S-1'));
  await evictDurableObject(outboxObject());
  await append(notice('S-2'));
  await deliver();
  expect(await receivedOrders()).toEqual(['S-2 1']);
  expect(await outboxObject().resend((await idsOf())[0] ?? '', null, null)).toBe('waiting');
  await deliver();
  expect(await receivedOrders()).toEqual(['S-2 1', 'S-1 1']);
});

test('removing WEBHOOK_URL ends the deliveries that wait for a retry', async () => {
  await setReceiver({refused: 1});
  await append(notice('S-1'));
  await deliver();
  await replaceBindings(outboxObject(), {WEBHOOK_URL: undefined});
  await advance(MINUTE);
  await deliver();
  expect(await alarmIn(outboxObject())).toBe(30 * DAY + HOUR - MINUTE + 1);
  expect(await receivedOrders()).toEqual(['S-1 1 refused']);
});

test('events are deleted after thirty days, and their positions are not reused', async () => {
  await append(notice('S-1'));
  await deliver();
  await advance(30 * DAY + HOUR);
  await deliver();
  expect(await read()).toEqual({items: [], position: 0, more: false});
  await append(notice('S-2'));
  expect((await read(1)).items).toHaveLength(1);
});
