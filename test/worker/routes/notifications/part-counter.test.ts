import {expect, test} from 'vitest';
import {OpeningCounter} from '../../../../worker/routes/notifications/part-counter.ts';

const [RECORDS, MANY] = [10, 100];

test.for<[start: string, isJson: boolean]>([
  ['[', true],
  ['{', true],
  ['\uFEFF\r\n [', true],
  ['\u00A0[', true],
  ['0[txid]=1&', false],
  [' refunds[0][order]={&', false],
  ['"[', false],
])('brackets after %j count: %s', ([start, isJson]) => {
  const bytes = new TextEncoder().encode(start + '[{'.repeat(MANY));
  const counter = new OpeningCounter(RECORDS);
  const results = Array.from(bytes, (byte) => counter.add(Uint8Array.of(byte)));
  expect([results[0], results.at(-1)]).toEqual([true, !isJson]);
  expect(new OpeningCounter(RECORDS).add(bytes)).toBe(!isJson);
});
