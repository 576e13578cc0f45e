import {expect, test} from 'vitest';
import {SearchCursor} from '../../../../worker/routes/merchant/cursor.ts';

const query: {readonly service: string; readonly limit: number; readonly cursor?: string} = {
  service: 'DEMO',
  limit: 20,
};
const longer = {...query, limit: 21};

test.for([0, 100, 2_147_483_647, Date.UTC(2026, 10, 21), Date.UTC(2099, 0, 1)])(
  'a walk goes on at %i',
  async (position) => {
    const cursor = (await SearchCursor.parse(query, 'commands')).encode(position);
    expect((await SearchCursor.parse({...query, cursor}, 'commands')).position).toBe(position);
  },
);

test('a cursor is for the query it came from', async () => {
  const cursor = (await SearchCursor.parse(query, 'commands')).encode(7);
  await expect(SearchCursor.parse({...longer, cursor}, 'commands')).rejects.toMatchObject({code: 'invalid_request'});
  await expect(SearchCursor.parse({...query, cursor}, 'refunds')).rejects.toMatchObject({code: 'invalid_request'});
});
