import ipaddr from 'ipaddr.js';
import {expect, test} from 'vitest';
import {explainWebhookUrl} from '../../../worker/config/webhook-address.ts';

const LOCAL = 'The URL points to this machine or to a local network.';
const isRefused = (host: string) => explainWebhookUrl(`https://${host}/`, false) === LOCAL;

/** Hosts on the Worker's machine or in its network. An attacker with the API key must not reach them by a webhook. */
const LOCAL_HOSTS = [
  'localhost',
  'LOCALHOST',
  'a.localhost',
  'localhost.',
  'localhost:8443',
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '017700000001',
  '0177.0.0.1',
  '%31%32%37.0.0.1',
  '１２７.0.0.1',
  '①②⑦.0.0.1',
  '127。0。0。1',
  '0',
  '0.0.0.0',
  '10.0.0.1',
  '012.0.0.1',
  '167772161',
  '100.64.0.1',
  '100.127.255.255',
  '169.254.169.254',
  '0xa9fea9fe',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '192.0.0.8',
  '192.88.99.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::a00:1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:8.8.8.8]',
  '[::ffff:0:10.0.0.1]',
  '[64:ff9b::a00:1]',
  '[64:ff9b::10.0.0.1]',
  '[64:ff9b:1::a00:1]',
  '[100::1]',
  '[200::1]',
  '[2::1]',
  '[20::1]',
  '[3ff::1]',
  '[2001::a00:1]',
  '[2001:0:4136:e378:8000:63bf:f5ff:fffe]',
  '[2001:2::1]',
  '[2001:DB8::1]',
  '[2002:a00:1::]',
  '[2002:c0a8:101::1]',
  '[3fff::1]',
  '[4000::1]',
  '[5f00::1]',
  '[fc00::1]',
  '[fd00::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  'intranet',
  'db.internal',
  'db.internal.',
  'printer.local',
  'nas.lan',
  'router.home.arpa',
  'a.test',
];
test.for(LOCAL_HOSTS)('the host %s is accepted with the sandbox, and refused with a real platform', (host) => {
  expect(explainWebhookUrl(`https://${host}/`, false)).toBe(LOCAL);
  expect(explainWebhookUrl(`https://${host}/`, true)).toBeNull();
});

test.for([
  'shop.example',
  'shop.example.',
  'shop.example:8443',
  'xn--bcher-kva.example',
  'bücher.example',
  '10.shop.example',
  'local.shop.example',
  '1.1.1.1',
  '8.8.8.8',
  '134744072',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.1',
  '192.0.1.1',
  '198.17.255.255',
  '198.51.99.1',
  '223.255.255.255',
  '[2001:200::1]',
  '[2001:4860:4860::8888]',
  '[2606:4700::1111]',
  '[2620:fe::fe]',
  '[2a00:1450:4001::5]',
  '[3ffe::1]',
])('the host %s is accepted with https, and refused without https, even with the sandbox', (host) => {
  expect(explainWebhookUrl(`https://${host}/vezne?key=1`, false)).toBeNull();
  for (const isSandbox of [true, false])
    expect(explainWebhookUrl(`http://${host}/`, isSandbox)).toBe('Expected a URL that begins with https://.');
});

type Address = ReturnType<typeof ipaddr.parse>;

const widthOf = (address: Address) => (address.kind() === 'ipv4' ? 32n : 128n);

/** The host of a URL that has this address. */
function hostOf(number: bigint, width: bigint): string {
  const bytes = Array.from({length: Number(width) / 8}, (_, index) =>
    Number((number >> (width - 8n * BigInt(index + 1))) & 255n),
  );
  const text = ipaddr.fromByteArray(bytes).toString();
  return width === 32n ? text : `[${text}]`;
}

/** The first, middle and last address of a network, and its neighbors. */
function edgesOf([address, length]: [Address, number]): string[] {
  const width = widthOf(address);
  const first = address.toByteArray().reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const size = 1n << (width - BigInt(length));
  return [first - 1n, first, first + size / 2n, first + size - 1n, first + size]
    .filter((number) => number >= 0n && number < 1n << width)
    .map((number) => hostOf(number, width));
}

/** The networks of a kind that `ipaddr.js` calls special, by their names. */
function networksOf(any: Address): [name: string, networks: [Address, number][]][] {
  const {SpecialRanges: ranges} = any as unknown as {
    readonly SpecialRanges: Readonly<Record<string, [Address, number] | [Address, number][]>>;
  };
  return Object.entries(ranges).map(([name, one]) => [
    name,
    Array.isArray(one[0]) ? (one as [Address, number][]) : [one as [Address, number]],
  ]);
}

/**
 * ipaddr.js 2.5.0 calls everything outside its special networks `unicast`, also unassigned addresses such as 200::1, and
 * ::7f00:1, as which a URL has ::127.0.0.1.
 */
function isPublic(host: string): boolean {
  const address = ipaddr.parse(host.replace(/^\[|\]$/g, ''));
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || /^\[[23][\da-f]{3}:/.test(host));
}

test.for(['0.0.0.0', '::'].flatMap((any) => networksOf(ipaddr.parse(any))))(
  'at the edges of the networks that ipaddr.js calls %s, the addresses are accepted that it calls public',
  ([, networks]) => {
    const edges = networks.flatMap(edgesOf);
    expect(edges.filter(isRefused)).toEqual(edges.filter((host) => !isPublic(host)));
  },
);

test('a URL with credentials is refused, even with the sandbox', () => {
  for (const isSandbox of [true, false])
    expect(explainWebhookUrl('https://me:password@shop.example/', isSandbox)).toBe(
      'The URL must not contain credentials.',
    );
});
