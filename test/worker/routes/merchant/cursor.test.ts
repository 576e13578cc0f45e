/** Tests the cursors of searches. */

import {expect, test} from 'vitest';
import {Cursor} from '../../../../worker/contract/merchant/fields.ts';
import {SearchCursor} from '../../../../worker/routes/merchant/cursor.ts';

const query: {readonly service: string; readonly limit: number; readonly cursor?: string} = {
  service: 'DEMO',
  limit: 20,
};
const otherQuery = {...query, limit: 21};

test('a cursor keeps its position', async () => {
  for (const position of [0, 100, 2_147_483_647, Date.UTC(2099, 0, 1)]) {
    const cursor = (await SearchCursor.parse(query, 'commands')).encode(position);
    expect((await SearchCursor.parse({...query, cursor}, 'commands')).position).toBe(position);
  }
});

test('a cursor keeps its reference, and needs no encoding in an address', async () => {
  for (const reference of ['S-1', '1', 'a.b~c', 'Sipariş №7', '%2E', '', '€'.repeat(255), 'ÿ~>?']) {
    const cursor = (await SearchCursor.parse(query, 'orders')).encode(reference);
    expect(Cursor.safeParse(cursor).success).toBe(true);
    expect(encodeURIComponent(cursor)).toBe(cursor);
    const parsed = await SearchCursor.parse({...query, cursor}, 'orders');
    expect([parsed.reference, parsed.position]).toEqual([reference, null]);
  }
});

test('a cursor is refused for a different query and for a different list', async () => {
  const cursor = (await SearchCursor.parse(query, 'commands')).encode(7);
  await expect(SearchCursor.parse({...otherQuery, cursor}, 'commands')).rejects.toMatchObject({
    code: 'invalid_request',
  });
  await expect(SearchCursor.parse({...query, cursor}, 'refunds')).rejects.toMatchObject({code: 'invalid_request'});
});
