import {afterEach, expect, test, vi} from 'vitest';
import {readMembers} from '../../../demo/builder/members.ts';

afterEach(() => vi.unstubAllGlobals());

const changed = (subscription_id: string, state: string, renewal_date: string | null) => ({
  type: 'subscription.changed',
  data: {
    service: 'DEMO',
    subscription_id,
    msisdn: '532*****67',
    state,
    subscription_date: '2026-11-21T10:00:00+03:00',
    renewal_date,
  },
});

test('the members are the newest states of subscriptions; a one-time payment by phone bill is no member', async () => {
  const pages = [
    [changed('1', 'active', '2026-11-28T10:00:00+03:00'), changed('2', 'active', '2026-11-21T10:00:00+03:00')],
    [changed('3', 'active', null), {...changed('4', 'paid', null), type: 'charge.succeeded'}],
    [changed('1', 'cancelled', '2026-11-28T10:00:00+03:00')],
  ];
  vi.stubGlobal('fetch', async (url: string) => {
    const index = Number(new URLSearchParams(url.split('?')[1]).get('cursor'));
    return Response.json({items: pages[index], next_cursor: String(index + 1), more: index + 1 < pages.length});
  });
  expect(await readMembers('key')).toEqual([
    {service: 'DEMO', subscription: '3', msisdn: '532*****67', state: 'active'},
    {service: 'DEMO', subscription: '1', msisdn: '532*****67', state: 'cancelled'},
  ]);
});
