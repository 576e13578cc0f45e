import {expect, test} from 'vitest';
import {BILL_NAME, openName, REFUND_TOKEN, sealName} from '../../../worker/lib/link-name.ts';

const KEY = 'a key of a Worker';
const RANDOM = 'Zk3v0pW8bT1yQm6X';

test.for([
  [RANDOM, REFUND_TOKEN, 'Zk3v0pW8bT1yQm6XUsRxqwBCV-OMM-'],
  [`rug-4711.${RANDOM}`, BILL_NAME, 'rug-4711.Zk3v0pW8bT1yQm6XWK-a06ULY5cWZB'],
] as const)('the name that begins with %s ends in its MAC', async ([text, shape, name]) => {
  expect(await sealName(KEY, text)).toBe(name);
  expect(name).toMatch(shape);
  // Elements recognize a bill by this end (`payment-view.ts`).
  expect(/\.[\w-]{30,}$/.test(name)).toBe(shape === BILL_NAME);
  expect(await openName(KEY, name)).toBe(text);
});

test('a name with another character, length, key or kind was invented', async () => {
  const name = await sealName(KEY, `rug-4711.${RANDOM}`);
  const others = Array.from(
    name,
    (character, at) => name.slice(0, at) + (character === 'A' ? 'B' : 'A') + name.slice(at + 1),
  );
  const wrong = [
    ...others,
    '',
    name.slice(1),
    name.slice(0, -1),
    `${name}A`,
    name.toLowerCase(),
    name.slice(9),
    RANDOM,
  ];
  for (const each of wrong) expect([each, await openName(KEY, each)]).toEqual([each, null]);
  expect(await openName(`${KEY}.`, name)).toBeNull();
});
