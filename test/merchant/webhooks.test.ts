/** Tests that the client verifies webhooks as Standard Webhooks specifies. */

import {Webhook} from 'standardwebhooks';
import {afterEach, describe, expect, test, vi} from 'vitest';
import {type SignedWebhook, verifyWebhook, type WebhookError} from '../../merchant/index.ts';
import {SECRET} from '../support/webhook-inbox.ts';
import {failureOf} from './support/live-worker.ts';

const OTHER = 'whsec_YW5vdGhlciBzZWNyZXQgb2YgYW5vdGhlciBzaG9w';
const TEXT_SECRET = 'a secret of the merchant, and long enough';
const event = {
  id: 'evt_3f0c9a6be2d44f6a8b5a9c1d7e20f314',
  type: 'vendor.registered',
  created_at: '2026-11-21T15:42:07+03:00',
  data: {service: 'DEMO', vendor_code: 'V-ş'},
};
const body = JSON.stringify(event);

afterEach(() => vi.useRealTimers());

/** Signs a webhook with the library `standardwebhooks`. */
function signWebhook({
  secret = SECRET,
  at = new Date(),
  text = body,
  id = event.id,
}: {secret?: string; at?: Date; text?: string; id?: string} = {}): {headers: Record<string, string>; body: string} {
  const webhook = secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, {format: 'raw'});
  const seconds = Math.floor(at.getTime() / 1000);
  return {
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': webhook.sign(id, new Date(seconds * 1000), text),
    },
    body: text,
  };
}

const refusalCode = async (webhook: Omit<SignedWebhook, 'secret'> & {secret?: SignedWebhook['secret']}) =>
  (await failureOf<WebhookError>(verifyWebhook({secret: SECRET, ...webhook}))).code;

test('a webhook that was signed with openssl is valid', async () => {
  // printf '%s' 'evt_1.1790000000.{"id":"evt_1"}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:<SECRET's bytes> -binary | base64
  vi.useFakeTimers({now: 1_790_000_000_000, toFake: ['Date']});
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1790000000',
    'webhook-signature': 'v1,SGTwJthrf3F14rEXXr9RYjwBi8EY44Z3UScoaG7IG18=',
  };
  expect(await verifyWebhook({secret: SECRET, headers, body: '{"id":"evt_1"}'})).toEqual({id: 'evt_1'});
});

describe('Webhook verification', () => {
  test.each([SECRET, TEXT_SECRET])(
    'a webhook that the library `standardwebhooks` signed with the secret %s is valid',
    async (secret) => {
      expect(await verifyWebhook({secret, ...signWebhook({secret})})).toEqual(event);
    },
  );

  test('a webhook is valid with every type of headers, and with a body that is text or bytes', async () => {
    const {headers, body: text} = signWebhook();
    const kinds: SignedWebhook['headers'][] = [
      headers,
      new Headers(headers),
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    ];
    const bytes = Buffer.from(text);
    for (const kind of kinds) {
      for (const form of [text, bytes, new Uint8Array(bytes), new Uint8Array(bytes).buffer])
        expect(await verifyWebhook({secret: SECRET, headers: kind, body: form})).toEqual(event);
    }
  });

  test('a webhook is valid while the merchant or the Worker has both the old and the new secret', async () => {
    const [oldWebhook, newWebhook] = [signWebhook({secret: OTHER}), signWebhook()];
    expect(await verifyWebhook({secret: [SECRET, OTHER], ...oldWebhook})).toEqual(event);
    const both = {
      ...newWebhook.headers,
      'webhook-signature': `v1a,AAAA ${oldWebhook.headers['webhook-signature']} ${newWebhook.headers['webhook-signature']}`,
    };
    for (const secret of [SECRET, OTHER]) expect(await verifyWebhook({secret, headers: both, body})).toEqual(event);
  });

  test.each([-299, 0, 299])('a webhook whose time is %i seconds from now is valid', async (seconds) => {
    expect(await verifyWebhook({secret: SECRET, ...signWebhook({at: new Date(Date.now() + seconds * 1000)})})).toEqual(
      event,
    );
  });

  test.each([
    [-302, 'too_old'],
    [302, 'too_new'],
  ])('a webhook whose time is %i seconds from now is refused as %s', async (seconds, code) => {
    expect(await refusalCode(signWebhook({at: new Date(Date.now() + seconds * 1000)}))).toBe(code);
  });

  test('with a higher toleranceSeconds, an older webhook is valid', async () => {
    expect(
      await verifyWebhook({
        secret: SECRET,
        toleranceSeconds: 600,
        ...signWebhook({at: new Date(Date.now() - 500_000)}),
      }),
    ).toEqual(event);
  });

  test('a webhook that was changed in any part, or signed with a different secret, is refused', async () => {
    const {headers, body: text} = signWebhook();
    const signature = headers['webhook-signature'] ?? '';
    const changes: [string, string][] = [
      ['webhook-id', 'evt_2'],
      ['webhook-timestamp', String(Number(headers['webhook-timestamp']) - 1)],
      ['webhook-signature', signature.slice(0, -2)],
      ['webhook-signature', signature.replace('v1,', 'v2,')],
      ['webhook-signature', signature.slice(3)],
      ['webhook-signature', 'v1,'],
      ['webhook-signature', 'v1,%%%'],
      ['webhook-signature', `v1,${btoa('short')}`],
      ['webhook-signature', 'v1'],
    ];
    for (const [name, value] of changes)
      expect(await refusalCode({headers: {...headers, [name]: value}, body: text}), `${name}: ${value}`).toBe(
        'signature_invalid',
      );
    for (const other of [`${text} `, text.replace('V-ş', 'V-s'), '', '{}'])
      expect(await refusalCode({headers, body: other})).toBe('signature_invalid');
    expect(await refusalCode({secret: OTHER, headers, body: text})).toBe('signature_invalid');
  });

  test('a webhook is refused if one bit of its signature differs', async () => {
    const {headers, body: text} = signWebhook();
    const bytes = Buffer.from((headers['webhook-signature'] ?? '').slice(3), 'base64');
    for (let bit = 0; bit < bytes.length * 8; bit += 7) {
      const forged = Buffer.from(bytes.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte)));
      expect(
        await refusalCode({headers: {...headers, 'webhook-signature': `v1,${forged.toString('base64')}`}, body: text}),
      ).toBe('signature_invalid');
    }
  });

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'a webhook in which the header %s is missing, empty or repeated is refused',
    async (name) => {
      const {headers, body: text} = signWebhook();
      for (const value of [undefined, '', [], ['a', 'b']])
        expect(await refusalCode({headers: {...headers, [name]: value}, body: text})).toBe('header_missing');
    },
  );

  test.each(['soon', '1.5', '-1', '1e9', ' 1', '9'.repeat(20)])(
    'a webhook with the timestamp %o is refused',
    async (time) => {
      const {headers, body: text} = signWebhook();
      expect(await refusalCode({headers: {...headers, 'webhook-timestamp': time}, body: text})).toBe(
        'timestamp_invalid',
      );
    },
  );

  test.each(['', 'null', '"text"', '{'])(
    'a webhook with a valid signature and the body %o is refused as unreadable',
    async (text) => {
      expect(await refusalCode(signWebhook({text}))).toBe('body_unreadable');
    },
  );

  test('verifyWebhook throws a TypeError if the body was already parsed or a secret is invalid', async () => {
    const {headers, body: text} = signWebhook();
    expect((await failureOf(verifyWebhook({secret: SECRET, headers, body: event as unknown as string}))).message).toBe(
      '`body` must be the raw body, as text or bytes. A parsed body cannot be verified.',
    );
    for (const secret of [
      '',
      'whsec_',
      'whsec_%',
      'whsec_c2hvcnQ=',
      'short',
      [],
      [SECRET, ''],
      undefined,
      [undefined],
    ]) {
      const error = await failureOf(verifyWebhook({secret: secret as string, headers, body: text}));
      expect([error.name, error.message]).toEqual([
        'TypeError',
        '`secret` must be the Worker’s WEBHOOK_SECRET: `whsec_` followed by base64, or text. It needs at least 24 bytes.',
      ]);
    }
  });
});
