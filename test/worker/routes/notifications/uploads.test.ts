/** Large notifications that arrive slowly. */

import {expect, test} from 'vitest';
import {endOfUpload} from '../../../../worker/routes/notifications/upload-room.ts';
import {advance, SECOND} from '../../support/clock.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {
  eventTypes,
  fakeLimiter,
  notifyRefunds,
  refundOrder,
  refundResults,
  spaces,
  streamOf,
} from '../../support/notifications.ts';

freshWorker();

/** An upload of this size that sends nothing more until it is closed. */
function stalledUpload(bytes: number, address?: string) {
  const controllers: ReadableStreamDefaultController<Uint8Array>[] = [];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controllers.push(controller);
      controller.enqueue(spaces(bytes));
    },
  });
  const {keys, bindings} = fakeLimiter(1_000);
  const answer = notifyRefunds(body, {bindings, ...(address !== undefined && {address})});
  return {
    answer,
    isOpen: () => Promise.race([answer, 'open']),
    /** The size counts as requests when the bytes have arrived. */
    untilArrived: () => expect.poll(() => keys.length).toBeGreaterThan(0),
    close: () => controllers[0]?.close(),
  };
}

test('large notifications that are still arriving share limited memory, and small ones are answered', async () => {
  const {id} = await refundOrder();
  const [result] = await refundResults();
  const {bindings} = fakeLimiter(1_000);
  const uploads = Array.from({length: 8}, () => stalledUpload(4_000_000));
  // The first four notifications occupy 16 MB. While they are open, the other four are refused.
  await expect
    .poll(() => Promise.all(uploads.map(({isOpen}) => isOpen())))
    .toEqual([...Array<string>(4).fill('open'), ...Array<string>(4).fill('429 rate_limited')]);
  expect(await notifyRefunds(result, {bindings})).toBe('200 OK');
  for (const {close} of uploads.slice(0, 4)) close();
  expect(await Promise.all(uploads.slice(0, 4).map(({answer}) => answer))).toEqual(Array(4).fill('400 Wrong Data'));
  expect(await notifyRefunds(streamOf(spaces(4_000_000)), {bindings})).toBe('400 Wrong Data');
  expect((await eventTypes()).at(-1)).toBe(`refund.settled ${id}`);
});

test('when stalled uploads take all the room, a genuine large notification ends the oldest of them', async () => {
  await refundOrder();
  const [result] = await refundResults();
  const uploads = [stalledUpload(4_194_304)];
  await uploads[0]?.untilArrived();
  await advance(SECOND);
  uploads.push(...Array.from({length: 3}, () => stalledUpload(4_194_304)));
  for (const {untilArrived} of uploads) await untilArrived();
  await advance(2 * SECOND);
  const {bindings} = fakeLimiter(1_000);
  expect(await notifyRefunds(`${JSON.stringify(result)}${' '.repeat(10_000)}`, {bindings})).toBe('200 OK');
  expect(await uploads[0]?.answer).toBe('429 rate_limited');
  expect(await Promise.all(uploads.slice(1).map(({isOpen}) => isOpen()))).toEqual(Array(3).fill('open'));
  for (const {close} of uploads.slice(1)) close();
});

test('the uploads of one network take an eighth of the room', async () => {
  const first = stalledUpload(1_500_000, '2001:db8:7:1::1');
  await first.untilArrived();
  expect(await stalledUpload(1_500_000, '2001:db8:7:2::1').answer).toBe('429 rate_limited');
  first.close();
});

test('an upload that sends nothing for five seconds is aborted', async () => {
  const upload = stalledUpload(9_000);
  await upload.untilArrived();
  await advance(5 * SECOND);
  expect(await upload.answer).toBe('408 invalid_request');
});

test('an upload ends when it has sent nothing for five seconds, or began 20 seconds ago', () => {
  const now = Date.now();
  for (const [idle, age, isOver] of [
    [4, 19, false],
    [5, 5, true],
    [0, 20, true],
  ] as const) {
    const upload = {
      network: '',
      bytes: 0,
      isEnded: false,
      progressAt: now - idle * SECOND,
      startedAt: now - age * SECOND,
    };
    expect(endOfUpload(upload, now) !== null).toBe(isOver);
  }
});
