import {expect, test} from 'vitest';
import {clientSubnet, siteSubnet} from '../../../worker/http/client-ip.ts';

test.for([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::9', '2001:db8:1:3::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['garbage', 'unknown'],
  ['garbage:2', 'unknown'],
  ['192.0.2.7, 198.51.100.1', 'unknown'],
  ['2001:db8:1:2:3:4:5:6:7', 'unknown'],
] as const)('requests from the IP address %o are counted in the subnet %o', ([address, subnet]) => {
  expect(clientSubnet(new Request('https://pay.example/', {headers: {'cf-connecting-ip': address}}))).toBe(subnet);
});

test('requests without an IP address are counted in the subnet "unknown"', () => {
  expect(clientSubnet(new Request('https://pay.example/'))).toBe('unknown');
});

test.for([
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['192.0.2.7', '192.0.2.7'],
  ['unknown', 'unknown'],
] as const)('the subnet %o belongs to the site %o', ([subnet, site]) => {
  expect(siteSubnet(subnet)).toBe(site);
});
