/** Tests that the client verifies webhooks as Standard Webhooks specifies. */

import {Webhook} from 'standardwebhooks';
import {afterEach, describe, expect, test, vi} from 'vitest';
import {type SignedWebhook, verifyWebhook, type WebhookError} from '../../merchant/index.ts';
import published from '../../merchant/webhook-vectors.json' with {type: 'json'};
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

describe('Published vectors', () => {
  test.each(published.vectors)('a webhook $name: $result', async ({secret, headers, body: text, now, result}) => {
    vi.useFakeTimers({now: now * 1000, toFake: ['Date']});
    const outcome = verifyWebhook({secret, headers: headers as Record<string, string>, body: text});
    expect(
      await outcome.then(
        () => 'valid',
        ({code}: WebhookError) => code,
      ),
    ).toBe(result);
  });

  test('the library `standardwebhooks` signs the valid ones in the same way', () => {
    const valid = published.vectors.filter(({result}) => result === 'valid');
    expect(valid).toHaveLength(5);
    for (const {secret, headers, body: text} of valid) {
      const signed = signWebhook({secret, text, at: new Date(Number(headers['webhook-timestamp']) * 1000)});
      expect(headers['webhook-signature']).toContain(signed.headers['webhook-signature']);
    }
  });
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

  test('with a higher toleranceSeconds, an older webhook is valid', async () => {
    expect(
      await verifyWebhook({
        secret: SECRET,
        toleranceSeconds: 600,
        ...signWebhook({at: new Date(Date.now() - 500_000)}),
      }),
    ).toEqual(event);
  });

  test('a tolerance that is no number of seconds above 0 is an error, and not every age', async () => {
    const old = signWebhook({at: new Date(Date.now() - 100 * 86_400_000)});
    for (const wrong of [Number.NaN, Infinity, -Infinity, 0, -1, '600', null])
      await expect(verifyWebhook({secret: SECRET, toleranceSeconds: wrong as number, ...old})).rejects.toThrow(
        new TypeError('`toleranceSeconds` must be a number of seconds above 0.'),
      );
    for (const toleranceSeconds of [0.5, 300, undefined])
      expect(await refusalCode({...old, toleranceSeconds})).toBe('too_old');
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
