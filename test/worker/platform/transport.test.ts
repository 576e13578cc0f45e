/** Tests how replies are read: never more than the allowed number of bytes. */

import {expect, test} from 'vitest';
import {readText} from '../../../worker/platform/transport.ts';

const reply = (text: string, headers: Record<string, string> = {}) => new Response(text, {headers});

test.for<[description: string, headers: Record<string, string>]>([
  ['no content-length', {}],
  ['a correct content-length', {'content-length': '5'}],
  ['an unreadable content-length', {'content-length': '5, 5'}],
])('a reply with %s is read if it is not too long, and otherwise refused', async ([, headers]) => {
  expect(await readText(reply('hello', headers), 5)).toBe('hello');
  expect(await readText(reply('hello', headers), 4)).toBe(null);
});

test.for(['transfer-encoding', 'content-encoding'])(
  'a long reply with %s is refused even if its content-length is short',
  async (header) => {
    const headers = {'content-length': '1', [header]: 'identity'};
    expect(await readText(reply('hello', headers), 4)).toBe(null);
  },
);
