import {expect, inject, test} from 'vitest';
import {notice, receivedNotices} from '../../support/events.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {
  deliver,
  freshReceiver,
  outboxObject,
  receivedRequests,
  receiverStats,
  receiverUrl,
  setReceiver,
} from '../../support/webhook-receiver.ts';
import {enforceConnectionLimit} from './connection-limit.ts';

freshWorker();
freshReceiver();

/**
 * In `npm run bench -- webhooks`, a receiver that answers after a second gets 2,000 events. `npm test` sends fewer
 * events to a faster receiver.
 */
const isBench = inject('scale') === 1;
const EVENTS = isBench ? 2_000 : 100;
const DELAY_MS = isBench ? 1_000 : 50;
const PROMISED_PER_SECOND = 50;

test(
  `${EVENTS} events reach a receiver that answers after ${DELAY_MS} ms, over more than six connections, at most six per object`,
  {timeout: 300_000},
  async ({annotate}) => {
    const gate = enforceConnectionLimit();
    await setReceiver({delayMs: DELAY_MS});
    for (let start = 0; start < EVENTS; start += 100)
      await outboxObject().append(Array.from({length: 100}, (_, index) => notice(`S-${start + index}`)));
    while ((await receivedRequests()).length < EVENTS) await deliver();
    await expect.poll(async () => new Set(await receivedNotices()).size).toBe(EVENTS);
    const {firstAt, lastAt, peak} = await receiverStats();
    const perSecond = (EVENTS * 1000) / (lastAt - firstAt);
    await annotate(
      `${Math.round(perSecond)} deliveries a second, at most ${peak} at once, over ${gate.objects} objects`,
    );
    expect(gate.waited).toBe(0);
    expect(gate.objects).toBeGreaterThanOrEqual(Math.ceil(peak / 6));
    expect(peak).toBeGreaterThan(6);
    expect(peak).toBeLessThanOrEqual(72);
    if (isBench) expect(perSecond).toBeGreaterThanOrEqual(PROMISED_PER_SECOND);
  },
);

test('each of eleven webhooks that do not answer is sent six events at the same time', async () => {
  const gate = enforceConnectionLimit();
  const paths = Array.from({length: 10}, (_, index) => `/${index}`);
  for (const path of paths)
    await outboxObject().createWebhook({
      url: receiverUrl(path),
      types: ['payment_notice.created'],
      services: null,
      enabled: false,
    });
  for (const {id} of (await outboxObject().listWebhooks()).slice(1))
    await outboxObject().updateWebhook(id, {enabled: true});
  await deliver();
  const before = (await receivedRequests()).length;
  await setReceiver({silent: true});
  await outboxObject().append(Array.from({length: 6}, (_, index) => notice(`S-${index}`)));
  const delivering = deliver();
  // Every webhook has six unanswered requests at the same time.
  await expect.poll(async () => (await receivedRequests()).length - before).toBe(66);
  await setReceiver({});
  await delivering;
  expect(gate.waited).toBe(0);
});

test('a receiver that refuses every event gets at most six requests at the same time', async () => {
  await setReceiver({refused: 1, delayMs: 20});
  await outboxObject().append(Array.from({length: 60}, (_, index) => notice(`S-${index}`)));
  await deliver();
  expect((await receiverStats()).peak).toBe(6);
});
