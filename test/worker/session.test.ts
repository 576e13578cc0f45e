import {CompactSign, SignJWT} from 'jose';
import {expect, onTestFinished, test, vi} from 'vitest';
import {ApiError} from '../../worker/http/errors.ts';
import {MAX_VERIFIED, type PaymentSession, Sessions, VERIFIED_MS} from '../../worker/session.ts';
import {advance, DAY, HOUR, MINUTE, SECOND} from './support/clock.ts';

const SECRET = 'a session secret of more than 32 characters';
const OLDER = 'an older session secret, also long enough';
const sessions = new Sessions([SECRET]);

const session = (more: Partial<PaymentSession> = {}): PaymentSession => ({
  kind: 'payment',
  origin: 'https://shop.example',
  terms: {service: 'DEMO', order: 'VZ0123456789ABCDEF', amount: 14990, hours: 72},
  createUntil: Date.now() + 30 * MINUTE,
  readUntil: Date.now() + 7 * DAY,
  offer: 'gold',
  ...more,
});

const codeOf = (token: string, verifier = sessions): Promise<string> =>
  verifier.verify(token).then(
    () => 'accepted',
    (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
  );

const CLAIMS = {
  kind: 'payment',
  origin: 'https://shop.example',
  service: 'DEMO',
  order: 'S-1',
  amount: 14990,
  hours: 72,
  create_until: 0,
};

/** Signs claims like the Worker, except for what a test changes. */
function sign(
  claims: object = CLAIMS,
  {alg = 'HS256', typ = 'vezne-session+jwt', audience = 'vezne-browser', secret = SECRET, exp = Date.now() + HOUR} = {},
) {
  return new SignJWT({...claims})
    .setProtectedHeader({alg, typ})
    .setAudience(audience)
    .setExpirationTime(Math.floor(exp / 1000))
    .sign(new TextEncoder().encode(secret));
}

test('verifying a signed session returns the same session', async () => {
  const original = session();
  expect(await sessions.verify(await sessions.sign(original))).toEqual(original);
});

test('a token contains only the claims of its session', async () => {
  const [header = '', payload = ''] = (await sessions.sign(session())).split('.');
  expect(JSON.parse(atob(header))).toEqual({alg: 'HS256', typ: 'vezne-session+jwt'});
  expect(JSON.parse(atob(payload))).toEqual({
    kind: 'payment',
    origin: 'https://shop.example',
    service: 'DEMO',
    order: 'VZ0123456789ABCDEF',
    amount: 14990,
    hours: 72,
    create_until: Date.now() + 30 * MINUTE,
    offer: 'gold',
    aud: 'vezne-browser',
    exp: (Date.now() + 7 * DAY) / 1000,
  });
});

test('during a rotation, sessions of the older secret stay valid, and new sessions get the newer secret', async () => {
  const old = await new Sessions([OLDER]).sign(session());
  const both = new Sessions([SECRET, OLDER]);
  expect(await codeOf(old, both)).toBe('accepted');
  expect(await codeOf(await both.sign(session()), sessions)).toBe('accepted');
  expect(await codeOf(old, sessions)).toBe('unauthorized');
  expect(await codeOf(await new Sessions([OLDER]).sign(session({readUntil: Date.now() - MINUTE})), both)).toBe(
    'session_expired',
  );
});

test('a token is refused if any character is changed, or if its signature is padded', async () => {
  const token = await sessions.sign(session());
  for (let index = 0; index < token.length; index += 1) {
    const other = token[index] === 'A' ? 'B' : 'A';
    const forged = token.slice(0, index) + other + token.slice(index + 1);
    expect(await codeOf(forged), `character ${index}`).toBe('unauthorized');
  }
  // Two bits of the last character are unused: this one has the same signature.
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const same = token.slice(0, -1) + letters[letters.indexOf(token.slice(-1)) + 1];
  for (const spelling of [same, `${token}=`]) expect(await codeOf(spelling)).toBe('unauthorized');
});

test('a token is refused if one of its parts is missing or belongs to another token', async () => {
  const mine = (await sessions.sign(session())).split('.');
  const other = (
    await sessions.sign(session({terms: {service: 'DEMO', order: 'VZOTHER', amount: 1, hours: 72}}))
  ).split('.');
  for (const swapped of [
    [mine[0], other[1], mine[2]],
    [mine[0], mine[1], other[2]],
    [mine[0], other[1], ''],
    [mine[0], mine[1]],
    ['', mine[1], mine[2]],
  ]) {
    expect(await codeOf(swapped.join('.'))).toBe('unauthorized');
  }
});

const encode = (part: object) => btoa(JSON.stringify(part)).replace(/=+$/, '');

test('a text that is no token, and a token without the right signature, audience and type, are refused', async () => {
  const exp = Math.floor(Date.now() / 1000) + 60;
  const unsigned = `${encode({alg: 'none', typ: 'vezne-session+jwt'})}.${encode({...CLAIMS, aud: 'vezne-browser', exp})}.`;
  expect(await codeOf(unsigned)).toBe('unauthorized');
  expect(await codeOf(`${unsigned}AAAA`)).toBe('unauthorized');
  expect(await codeOf(await sign(CLAIMS, {secret: OLDER}))).toBe('unauthorized');
  expect(await codeOf(await sign(CLAIMS, {audience: 'vezne-merchant'}))).toBe('unauthorized');
  expect(await codeOf(await sign(CLAIMS, {typ: 'JWT'}))).toBe('unauthorized');
  expect(await codeOf(await sign(CLAIMS, {alg: 'HS512', secret: SECRET.repeat(2)}))).toBe('unauthorized');
  for (const text of ['', '.', '..', 'eyJ', 'a.b.c', 'null']) expect(await codeOf(text)).toBe('unauthorized');
});

test('a session of a different kind and a session with missing or invalid claims are refused', async () => {
  expect(await codeOf(await sign())).toBe('accepted');
  for (const claims of [
    {...CLAIMS, kind: 'management'},
    {...CLAIMS, amount: 149.9},
    {...CLAIMS, amount: 0},
    {...CLAIMS, amount: '14990'},
    {...CLAIMS, order: undefined},
    {},
  ]) {
    expect(await codeOf(await sign(claims)), JSON.stringify(claims)).toBe('session_kind');
  }
});

test('a signed token whose payload is no object is refused', async () => {
  for (const payload of ['null', '1', '[]', '"payment"', 'payment']) {
    const token = await new CompactSign(new TextEncoder().encode(payload))
      .setProtectedHeader({alg: 'HS256', typ: 'vezne-session+jwt'})
      .sign(new TextEncoder().encode(SECRET));
    expect(await codeOf(token), payload).toBe('unauthorized');
  }
});

test('an expired session and a session without an expiry are refused', async () => {
  expect(await codeOf(await sign(CLAIMS, {exp: Date.now() - 1000}))).toBe('session_expired');
  const endless = await new SignJWT({...CLAIMS})
    .setProtectedHeader({alg: 'HS256', typ: 'vezne-session+jwt'})
    .setAudience('vezne-browser')
    .sign(new TextEncoder().encode(SECRET));
  expect(await codeOf(endless)).toBe('session_kind');
});

test('a token that was verified a moment ago is refused as soon as it expires', async () => {
  const token = await sessions.sign(session({readUntil: Date.now() + 5 * SECOND}));
  expect(await codeOf(token)).toBe('accepted');
  await advance(4 * SECOND);
  expect(await codeOf(token)).toBe('accepted');
  await advance(SECOND);
  expect(await codeOf(token)).toBe('session_expired');
});

test('a verified token is still refused if it is changed, for another kind, and with another secret', async () => {
  const token = await sessions.sign(session());
  expect(await codeOf(token)).toBe('accepted');
  expect(await codeOf(token.slice(0, -3))).toBe('unauthorized');
  expect(await codeOf(`${token.slice(0, token.lastIndexOf('.'))}.${'A'.repeat(43)}`)).toBe('unauthorized');
  await expect(sessions.verify(token, 'vendor')).rejects.toMatchObject({code: 'session_kind'});
  expect(await codeOf(token, new Sessions([OLDER]))).toBe('unauthorized');
});

test('a signature is verified again after ten seconds, and the signature of a refused token every time', async () => {
  const verifications = countVerifications();
  const fresh = new Sessions([SECRET]);
  const token = await fresh.sign(session());
  for (let count = 0; count < 3; count += 1) expect(await codeOf(token, fresh)).toBe('accepted');
  expect(verifications()).toBe(1);
  await advance(VERIFIED_MS);
  expect(await codeOf(token, fresh)).toBe('accepted');
  expect(verifications()).toBe(2);
  const forged = await sign(CLAIMS, {secret: OLDER});
  for (let count = 0; count < 2; count += 1) expect(await codeOf(forged, fresh)).toBe('unauthorized');
  expect(verifications()).toBe(4);
});

test('an isolate keeps a limited number of verified tokens, and drops the oldest first', async () => {
  const verifications = countVerifications();
  const fresh = new Sessions([SECRET]);
  const tokens: string[] = [];
  for (let index = 0; index <= MAX_VERIFIED; index += 1)
    tokens.push(await fresh.sign(session({terms: {service: 'DEMO', order: `S-${index}`, amount: 1, hours: 1}})));
  for (const token of tokens) expect(await codeOf(token, fresh)).toBe('accepted');
  expect(verifications()).toBe(MAX_VERIFIED + 1);
  expect(await codeOf(tokens.at(-1) ?? '', fresh)).toBe('accepted');
  expect(verifications()).toBe(MAX_VERIFIED + 1);
  expect(await codeOf(tokens[0] ?? '', fresh)).toBe('accepted');
  expect(verifications()).toBe(MAX_VERIFIED + 2);
});

/** Counts how many signatures the runtime verifies from now on. */
function countVerifications(): () => number {
  const verify = vi.spyOn(crypto.subtle, 'verify');
  onTestFinished(() => verify.mockRestore());
  return () => verify.mock.calls.length;
}
