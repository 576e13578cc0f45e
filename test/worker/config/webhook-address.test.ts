import {expect, test} from 'vitest';
import {explainWebhookUrl} from '../../../worker/config/webhook-address.ts';

/** Hosts on the Worker's machine or in its network. An attacker with the API key must not reach them by a webhook. */
const LOCAL = [
  'localhost',
  'a.localhost',
  'localhost.',
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '224.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[::ffff:10.0.0.1]',
  '[64:ff9b::a00:1]',
  '[fe80::1]',
  '[fd00::1]',
  'intranet',
  'db.internal',
  'printer.local',
];
test.for(LOCAL)('the host %s is accepted with the sandbox, and refused with a real platform', (host) => {
  expect(explainWebhookUrl(`https://${host}/`, false)).toBe('The URL points to this machine or to a local network.');
  expect(explainWebhookUrl(`https://${host}/`, true)).toBeNull();
});

test.for(['shop.example', 'shop.example:8443', '172.32.0.1', '8.8.8.8', '[2606:4700::1111]', '10.shop.example'])(
  'the host %s is accepted with https, and refused without https, even with the sandbox',
  (host) => {
    expect(explainWebhookUrl(`https://${host}/vezne?key=1`, false)).toBeNull();
    for (const isSandbox of [true, false])
      expect(explainWebhookUrl(`http://${host}/`, isSandbox)).toBe('Expected a URL that begins with https://.');
  },
);

test('a URL with credentials is refused, even with the sandbox', () => {
  for (const isSandbox of [true, false])
    expect(explainWebhookUrl('https://me:password@shop.example/', isSandbox)).toBe(
      'The URL must not contain credentials.',
    );
});
