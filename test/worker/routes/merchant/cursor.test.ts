import {expect, test} from 'vitest';
import {Cursors} from '../../../../worker/routes/merchant/cursor.ts';

const query: {readonly service: string; readonly limit: number; readonly cursor?: string} = {
  service: 'DEMO',
  limit: 20,
};
const longer = {...query, limit: 21};

test.for([0, 100, 2_147_483_647, Date.UTC(2026, 10, 21), Date.UTC(2099, 0, 1)])(
  'a walk goes on at %i',
  async (position) => {
    const cursor = (await Cursors.of(query, 'commands')).at(position);
    expect((await Cursors.of({...query, cursor}, 'commands')).position).toBe(position);
  },
);

test('a cursor is for the query it came from', async () => {
  const cursor = (await Cursors.of(query, 'commands')).at(7);
  await expect(Cursors.of({...longer, cursor}, 'commands')).rejects.toMatchObject({code: 'invalid_request'});
  await expect(Cursors.of({...query, cursor}, 'refunds')).rejects.toMatchObject({code: 'invalid_request'});
});
