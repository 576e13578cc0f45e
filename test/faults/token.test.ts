/** Tests what pages and the operator see when a token expires and when the platform refuses the merchant's key. */

import {setTimeout as wait} from 'node:timers/promises';
import {expect, inject, test, type TestContext} from 'vitest';
import type {OrderCode} from '../../worker/contract/browser/answers.ts';
import type {Problem} from '../../worker/contract/problem.ts';
import {type FaultStack, openFaultStack} from './support/fault-stack.ts';
import {retryUntil} from './support/page.ts';
import type {SandboxControls} from './support/sandbox-controls.ts';

async function open({onTestFinished}: TestContext): Promise<FaultStack> {
  const stack = await openFaultStack(inject('bundles'));
  onTestFinished(() => stack.stop());
  return stack;
}

const count = async (platform: SandboxControls, path: string) =>
  (await platform.paths()).filter((called) => called === `/phs${path}`).length;

test.concurrent('a token that expires during many calls is renewed once, and the calls are repeated', async (context) => {
  const {page, platform} = await open(context);
  await page.openOrder();
  const sessions = await Promise.all(Array.from({length: 20}, () => page.openSession()));
  const [tokens, creates] = [await count(platform, '/getToken'), await count(platform, '/orderToReference/create')];

  // The delay makes sure that all twenty calls have been sent, and that the token has expired, before the first answer.
  await platform.fault('/orderToReference/create', {kind: 'delay', delay_ms: 500});
  await platform.control('tokens/expire', {});
  const answers = await Promise.all(sessions.map((session) => page.requestOrderCode(session)));

  expect(answers.map(({status}) => status)).toEqual(sessions.map(() => 200));
  expect(new Set(answers.map(({body}) => (body as OrderCode).order_code)).size).toBe(20);
  expect((await count(platform, '/getToken')) - tokens).toBe(1);
  expect((await count(platform, '/orderToReference/create')) - creates).toBe(40);
});

test.concurrent('the Worker retries a refused key with growing delays, and /health reports it', async (context) => {
  const {page, platform, line, logLines} = await open(context);
  await platform.fault('/getToken', {kind: 'status', status: 'ERR_007'});

  const sessions = await Promise.all(Array.from({length: 10}, () => page.openSession()));
  for (const {status, retryAfter, body} of await Promise.all(
    sessions.map((session) => page.requestOrderCode(session)),
  )) {
    expect([status, body]).toEqual([503, expect.objectContaining({code: 'temporarily_unavailable', retryable: true})]);
    expect([1, 2]).toContain(retryAfter);
  }
  expect(line.attempts()).toBe(1);
  expect(await page.health()).toMatchObject({
    status: 'degraded',
    problems: [
      'The platform refuses our key. Check MERCHANT_ID, MERCHANT_KEY and MERCHANT_IP, which is part of the key.',
    ],
  });

  const [session] = sessions;
  if (!session) throw new Error('no session');
  await wait(2_000);
  const second = await page.requestOrderCode(session);
  expect([second.status, second.retryAfter]).toEqual([503, 4]);
  expect(line.attempts()).toBe(2);
  expect(
    logLines('token_refused').map(({level, platform_status, retry_in_ms}) => [level, platform_status, retry_in_ms]),
  ).toEqual([
    ['error', 'ERR_007', 2_000],
    ['error', 'ERR_007', 4_000],
  ]);

  await platform.heal();
  expect((await retryUntil(() => page.requestOrderCode(session))).status).toBe(200);
  // An isolate caches its last health answer for a few seconds.
  await context.expect.poll(() => page.health()).toMatchObject({status: 'ok', problems: []});
});

test.concurrent('an internal error of the platform at getToken does not count as a refused key', async (context) => {
  const {page, platform, logLines} = await open(context);
  await platform.fault('/getToken', {kind: 'status', status: '500'});
  const session = await page.openSession();
  for (let attempt = 0; attempt < 4; attempt += 1) expect((await page.requestOrderCode(session)).retryAfter).toBe(5);
  expect(logLines('token_refused')).toEqual([]);
  await platform.heal();
  expect((await page.requestOrderCode(session)).status).toBe(200);
});

test.concurrent('when the platform refuses every token, the Worker requests only a few new tokens', async (context) => {
  const {page, platform, line, logLines} = await open(context);
  await page.openOrder();
  await platform.fault('/orderToReference/create', {kind: 'status', status: 'ERR_016'});
  const sessions = await Promise.all(Array.from({length: 30}, () => page.openSession()));
  const before = line.attempts('/orderToReference') + line.attempts('/getToken');
  for (const session of sessions) {
    const {status, retryAfter, body} = await page.requestOrderCode(session);
    expect([status, (body as Problem).code, (body as Problem).retryable]).toEqual([
      503,
      'temporarily_unavailable',
      true,
    ]);
    expect(retryAfter).toBeGreaterThanOrEqual(1);
  }
  // Four calls fetch a new token and are repeated with it. After that, every call is sent once.
  expect(await count(platform, '/getToken')).toBe(5);
  expect(line.attempts('/orderToReference') + line.attempts('/getToken') - before).toBe(30 + 4 + 4);
  expect(logLines('token_refused')[0]).toMatchObject({level: 'error', platform_status: 'ERR_016', retry_in_ms: 2_000});
  expect(await page.health()).toMatchObject({
    status: 'degraded',
    problems: [
      'The platform refuses every token that it issues to us. Ask its support whether another system requests tokens for this merchant.',
    ],
  });

  await platform.heal();
  for (const session of sessions) expect((await retryUntil(() => page.requestOrderCode(session))).status).toBe(200);
});
