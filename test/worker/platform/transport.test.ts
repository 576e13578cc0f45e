/** Tests how replies are read: never more than the allowed number of bytes. */

import {expect, test} from 'vitest';
import {readText} from '../../../worker/platform/transport.ts';

const reply = (text: string, headers: Record<string, string> = {}) => new Response(text, {headers});

test.for<[description: string, headers: Record<string, string>]>([
  ['no stated length', {}],
  ['its length', {'content-length': '5'}],
  ['an unreadable length', {'content-length': '5, 5'}],
])('a reply with %s is read if it is not too long', async ([, headers]) => {
  expect(await readText(reply('hello', headers), 5)).toBe('hello');
  expect(await readText(reply('hello', headers), 4)).toBe(null);
});

test.for(['transfer-encoding', 'content-encoding'])(
  'the stated length of a reply with %s does not count, because the reply may be longer',
  async (header) => {
    const headers = {'content-length': '1', [header]: 'identity'};
    expect(await readText(reply('hello', headers), 4)).toBe(null);
  },
);
