import {expect, test} from 'vitest';
import {describeTransferTimes, DEFAULT_TRANSFER_TIMES, TransferTimes} from '../../../worker/config/transfer-times.ts';

/** The English sentence for transfers from another bank, at a time in Turkey. */
const otherBankAt = (time: string, times = DEFAULT_TRANSFER_TIMES) =>
  describeTransferTimes(times, Date.parse(`${time}+03:00`)).other_bank?.en;

const TODAY = 'EFT transfers arrive today.';
const NEXT_WORKING_DAY = 'EFT transfers arrive by the next working day.';

test.each([
  ['before the banks open', '2026-11-20T09:29:59', NEXT_WORKING_DAY],
  ['when the banks open', '2026-11-20T09:30:00', TODAY],
  ['in the minute before the banks close', '2026-11-20T16:59:59', TODAY],
  ['when the banks close', '2026-11-20T17:00:00', NEXT_WORKING_DAY],
  ['on a Saturday', '2026-11-21T12:00:00', NEXT_WORKING_DAY],
  ['on a Sunday', '2026-11-22T12:00:00', NEXT_WORKING_DAY],
  ['on a Monday just after midnight', '2026-11-23T00:10:00', NEXT_WORKING_DAY],
  ['on a Monday at noon', '2026-11-23T12:00:00', TODAY],
])('a transfer from another bank has the correct sentence %s', (_when, time, sentence) => {
  expect(otherBankAt(time)).toBe(sentence);
});

test('at any hour, the sentence for transfers from the same bank says that the money arrives at once', () => {
  for (const time of ['2026-11-22T03:00:00+03:00', '2026-11-23T12:00:00+03:00']) {
    expect(describeTransferTimes(DEFAULT_TRANSFER_TIMES, Date.parse(time)).same_bank).toEqual({
      tr: 'Aynı bankadan ya da FAST ile gönderdiğiniz para hemen ulaşır.',
      en: 'Transfers from the same bank or by FAST arrive instantly.',
    });
  }
});

test('a transfer on a holiday has the same sentence as on a Sunday', () => {
  expect(otherBankAt('2026-10-29T12:00:00', {...DEFAULT_TRANSFER_TIMES, holidays: ['2026-10-29']})).toBe(
    NEXT_WORKING_DAY,
  );
});

test('a transfer that matches no rule has no sentence', () => {
  const rules = [{from: 'same_bank', days: [1], text: {tr: 'Hemen', en: 'At once'}}];
  const times = TransferTimes().parse({rules});
  expect(describeTransferTimes(times, Date.parse('2026-11-23T12:00:00+03:00'))).toEqual({
    same_bank: {tr: 'Hemen', en: 'At once'},
    other_bank: null,
  });
  expect(describeTransferTimes(times, Date.parse('2026-11-24T12:00:00+03:00'))).toEqual({
    same_bank: null,
    other_bank: null,
  });
});
