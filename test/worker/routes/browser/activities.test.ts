/** POST /v1/activities: which activities the Worker accepts, and what it reports to the platform. */

import {evictDurableObject, runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {countStorage} from '../../objects/cost/storage-costs.ts';
import {advance, DAY, MINUTE, SECOND} from '../../support/clock.ts';
import {alarmIn} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {ask, askAsPage, ORIGIN} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {type Call, landingCalls, setLine, setFault} from '../../support/sandbox.ts';

freshWorker();

const BROWSER = 'Mozilla/5.0 (Linux; Android 14) Test';
let events = 0;
const eventId = () => `event-${String((events += 1)).padStart(6, '0')}`;

const visit = (change: object = {}) => ({
  offer: 'club',
  type: 'visit',
  tracking_id: 'click-7',
  event_id: eventId(),
  url: `${ORIGIN}/club`,
  referer: '-',
  ...change,
});
const clicked = (change: object = {}) => ({
  offer: 'club',
  type: 'subscribe_clicked',
  tracking_id: 'click-7',
  event_id: eventId(),
  ...change,
});
const send = (body: object, headers: Record<string, string> = {}) =>
  askAsPage('POST', '/v1/activities', {
    body,
    headers: {'user-agent': BROWSER, 'cf-connecting-ip': '192.0.2.7', ...headers},
  });

const visitorObject = (id = 'click-7') => contextOf(env).objects.activities(id);
/** Runs the alarm of the object that has this visitor's activities; returns false if no alarm is set. */
const runAlarm = async (id?: string) => runDurableObjectAlarm(await visitorObject(id));
const sentActivities = async (): Promise<Call['params'][]> =>
  (await landingCalls('user-activity')).map(({params}) => params);

test('a visit is answered immediately, and reported later with IP address and browser', async () => {
  const answer = await send(visit({referer: 'https://search.example/?q=lamba'}));
  expect([answer.status, answer.body]).toEqual([202, {}]);
  expect(await sentActivities()).toEqual([]);
  expect(await runAlarm()).toBe(true);
  expect(await sentActivities()).toMatchObject([
    {
      product: '77',
      type: 'visit',
      tracking_id: 'click-7',
      url: `${ORIGIN}/club`,
      referer: 'https://search.example/?q=lamba',
      userip: '192.0.2.7',
      browser: BROWSER,
    },
  ]);
});

test('after ten failed tries of one activity, the Worker reports the later activities first', async () => {
  await setFault({operation: '/landing/user-activity', kind: 'empty', times: 10});
  await send(visit());
  await send(clicked());
  for (let retry = 0; retry < 11; retry += 1) {
    await runAlarm();
    await advance(5 * MINUTE);
  }
  const sent = (await sentActivities()).map(({type}) => type);
  expect(sent.slice(0, 10).every((type) => type === 'visit')).toBe(true);
  expect(sent.slice(10)).toEqual(['subscribe_clicked', 'visit']);
});

test('an activity reads as many rows however many wait', async () => {
  const rowsRead = async () => (await countStorage(() => send(visit()))).byClass['Activities']?.rowsRead;
  await send(visit());
  const first = await rowsRead();
  for (let waiting = 0; waiting < 20; waiting += 1) await send(visit());
  expect(await rowsRead()).toBe(first);
});

test('in the browser’s name, the platform gets question marks in place of unprintable characters', async () => {
  await send(visit(), {'user-agent': 'Mozilla/5.0 \u00ff\u0080 (\t)'});
  await runAlarm();
  expect(await sentActivities()).toMatchObject([{browser: 'Mozilla/5.0 ?? (?)'}]);
});

test('a click may be reported without a URL, and an empty referrer of a visit is reported as a hyphen', async () => {
  expect((await send(visit({referer: ''}))).status).toBe(202);
  expect((await send(clicked())).status).toBe(202);
  await runAlarm();
  const [visited, click = {}] = await sentActivities();
  expect(visited).toMatchObject({type: 'visit', referer: '-'});
  for (const name of ['url', 'referer']) expect(Object.keys(click)).not.toContain(name);
});

test('a beacon may send its JSON as text/plain', async () => {
  const answer = await ask('/v1/activities', {
    method: 'POST',
    headers: {origin: ORIGIN, 'content-type': 'text/plain;charset=UTF-8'},
    body: JSON.stringify(visit()),
  });
  expect(answer.status).toBe(202);
  await runAlarm();
  expect(await sentActivities()).toHaveLength(1);
});

test('activities of one visitor are reported in order', async () => {
  for (const body of [visit(), clicked(), clicked({type: 'confirm_clicked'})])
    expect((await send(body)).status).toBe(202);
  await runAlarm();
  expect((await sentActivities()).map(({type}) => type)).toEqual(['visit', 'subscribe_clicked', 'confirm_clicked']);
});

test('an activity that a page sends several times with the same event id is reported once in a day', async () => {
  const body = visit();
  for (let count = 0; count < 3; count += 1) expect((await send(body)).status).toBe(202);
  await runAlarm();
  expect((await send(body)).status).toBe(202);
  await runAlarm();
  expect(await sentActivities()).toHaveLength(1);
  await advance(DAY + MINUTE);
  await runAlarm();
  expect((await send(body)).status).toBe(202);
  await runAlarm();
  expect(await sentActivities()).toHaveLength(2);
});

test('activities of two visitors are both reported, even if they have the same event id', async () => {
  const event_id = eventId();
  await send(visit({event_id}));
  await send(visit({event_id, tracking_id: 'click-8'}));
  await runAlarm();
  await runAlarm('click-8');
  expect(await sentActivities()).toHaveLength(2);
});

const PRIVATE: readonly [sent: string, reported: string][] = [
  ['/club?msisdn=5321234567&utm_source=mail', '/club?msisdn=-&utm_source=mail'],
  ['/club?n=%2B90%20532%20123%2045%2067', '/club?n=-'],
  ['/club?pin=1234', '/club?pin=-'],
  ['/club?number_token=9007199254740993', '/club?number_token=-'],
  ['/club?t=eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.x', '/club?t=-'],
  ['/club?who=deniz%40example.com', '/club?who=-'],
  ['/u/05321234567/club#pin=1234', '/u/-/club'],
  ['/club?msisdn=-&pin=-&code=4321&nt=912345678', '/club?msisdn=-&pin=-&code=-&nt=-'],
  ['/club?kod=12345678&onay_kodu=987654&number_token=7', '/club?kod=-&onay_kodu=-&number_token=-'],
  ['/club?code=SUMMER&kod=12&day=20261122', '/club?code=SUMMER&kod=12&day=20261122'],
  ['/club?click_id=ab12&page=2', '/club?click_id=ab12&page=2'],
];
test('a URL is reported without what may be private', async () => {
  for (const [sent] of PRIVATE) await send(visit({url: ORIGIN + sent, referer: `https://other.example${sent}`}));
  await runAlarm();
  expect(await sentActivities()).toMatchObject(
    PRIVATE.map(([, reported]) => ({url: ORIGIN + reported, referer: `https://other.example${reported}`})),
  );
});

test('after an outage and a restart of the object, the stored activities are reported in order', async () => {
  await setLine('refused');
  for (const body of [visit(), clicked()]) await send(body);
  await runAlarm();
  await send(clicked({type: 'confirm_clicked'}));
  await evictDurableObject(await visitorObject());
  await runAlarm();
  expect(await sentActivities()).toEqual([]);
  await setLine('open');
  await advance(5 * MINUTE);
  await runAlarm();
  expect((await sentActivities()).map(({type}) => type)).toEqual(['visit', 'subscribe_clicked', 'confirm_clicked']);
  expect(await runAlarm()).toBe(true);
  expect(await sentActivities()).toHaveLength(3);
});

test('an activity is reported again only if the platform did not acknowledge it', async () => {
  await setFault({operation: '/landing/user-activity', kind: '500-html', times: 1, after: true});
  await send(visit());
  await send(clicked());
  await runAlarm();
  await advance(5 * MINUTE);
  await runAlarm();
  expect((await sentActivities()).map(({type}) => type)).toEqual(['visit', 'visit', 'subscribe_clicked']);
});

test('while the platform refuses for a time, the delay grows, and a new activity does not make it shorter', async () => {
  await setFault({operation: '/landing/user-activity', kind: 'status', status: '029'});
  await send(visit());
  for (const [least, most] of [
    [1, 2],
    [2, 4],
    [4, 8],
  ] as const) {
    await runAlarm();
    await send(clicked());
    const delay = (await alarmIn(await visitorObject())) ?? 0;
    expect([delay >= least * SECOND, delay <= most * SECOND], String(delay)).toEqual([true, true]);
    await advance(delay);
  }
});

test('an activity that the platform refuses is not reported again', async () => {
  await setFault({operation: '/landing/user-activity', kind: 'status', status: '001', times: 1});
  await send(visit());
  await send(clicked());
  await runAlarm();
  expect((await sentActivities()).map(({type}) => type)).toEqual(['visit', 'subscribe_clicked']);
  await runAlarm();
  expect(await sentActivities()).toHaveLength(2);
});

test('an activity for an unknown offer is refused, and one for an offer without a product is not for the platform', async () => {
  expectProblem(await send(visit({offer: 'x'})), PROBLEMS.unknown_offer);
  expect((await send(visit({offer: 'gold'}))).status).toBe(202);
  await runAlarm();
  expect(await sentActivities()).toEqual([]);
});

test('an activity for an offer whose configuration is wrong is refused', async () => {
  const bindings = {OFFERS_2: {lottery: {kind: 'subscription', product: 77}}};
  const body = visit({offer: 'lottery'});
  expectProblem(await askAsPage('POST', '/v1/activities', {bindings, body}), PROBLEMS.misconfigured);
});

const WRONG: readonly object[] = [
  {url: 'https://evil.example/club'},
  {url: undefined},
  {type: 'bought'},
  {tracking_id: 'a b'},
  {event_id: 'x'},
  {userip: '192.0.2.9'},
];

test('a visit with a wrong, missing or unknown field is refused, and nothing is reported', async () => {
  for (const change of WRONG) {
    const answer = await send(visit(change));
    expect([answer.status, (answer.body as {code: string}).code], answer.text).toEqual([422, 'invalid_request']);
  }
  await runAlarm();
  expect(await sentActivities()).toEqual([]);
});

test('a body that is not JSON is refused', async () => {
  const answer = await ask('/v1/activities', {
    method: 'POST',
    headers: {origin: ORIGIN, 'content-type': 'text/plain'},
    body: 'visit=1',
  });
  expect([answer.status, (answer.body as {code: string}).code]).toEqual([400, 'invalid_request']);
});
