/** POST /v1/pins: sending PINs, what the answer reveals, and the limits. */

import {env} from 'cloudflare:workers';
import {describe, expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {PinSent} from '../../../../worker/contract/browser/subscription-answers.ts';
import {PinLimits} from '../../../../worker/objects/subscriber/pin-limits.ts';
import {advance, DAY, HOUR, MINUTE, SECOND, wireTime} from '../../support/clock.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {type Answer, newAddress, openSubscription, ORIGIN, read} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {control, hold, landingCalls, pinOf, release, setFault, setLine, smsTo} from '../../support/sandbox.ts';
import {type PinRequest, askPin, awaitPins, newNumber, receivePin, subscribe} from '../../support/subscriber.ts';
import {TURNSTILE, stubTurnstile} from '../../support/turnstile.ts';

freshWorker();
awaitPins();

const NO_PREFIX_LIMIT = {LIMITS: {prefix_pins_per_hour: null}};

/** Runs a task `count` times, concurrently but in batches, so that a busy machine answers in time. */
async function repeat<T>(count: number, task: (index: number) => Promise<T>, batchSize = 20): Promise<T[]> {
  const results: T[] = [];
  while (results.length < count) {
    const first = results.length;
    results.push(
      ...(await Promise.all(
        Array.from({length: Math.min(batchSize, count - first)}, (_, index) => task(first + index)),
      )),
    );
  }
  return results;
}

/** Counts the accepted requests (202). All other answers must be 429. */
function countSent(answers: readonly Answer[]): number {
  const others = answers.filter(({status}) => status !== 202 && status !== 429);
  expect(others.map(({text}) => text)).toEqual([]);
  return answers.filter(({status}) => status === 202).length;
}
const pinCalls = async (): Promise<number> => (await landingCalls('generate-pin')).length;

/** Signs a session for this product, without an offer, as the merchant's server may request it. */
function sessionFor(product: number): Promise<string> {
  return contextOf(env).sessions.sign({
    kind: 'subscription',
    origin: ORIGIN,
    product,
    price: 1200,
    period: 'weekly',
    operators: [{id: 1, name: 'Bir'}],
    texts: 'a digest',
    details: 'none',
    expiresAt: Date.now() + HOUR,
  });
}

test('a PIN is sent to the number for the product of the session', async () => {
  const {token} = await openSubscription();
  const answer = await askPin({token, msisdn: '+90 (532) 123-45.67', address: '198.51.100.7', afterPlatform: true});
  expect([answer.status, answer.body]).toEqual([
    202,
    {
      expires_at: wireTime(Date.now() + 10 * MINUTE),
      resend_at: wireTime(Date.now() + MINUTE),
      as_of: wireTime(),
    },
  ]);
  const [call, ...more] = await landingCalls('generate-pin');
  expect(more).toEqual([]);
  expect(call?.params).toMatchObject({
    product: '77',
    operator: '1',
    msisdn: '5321234567',
    userip: '198.51.100.7',
    tracking_id: 't-81c4',
  });
  expect(await smsTo('5321234567')).toHaveLength(1);
});

test('no PIN is sent to a number that is not a Turkish mobile number', async () => {
  const {token} = await openSubscription();
  for (const msisdn of ['02121234567', '+4915112345678', '532123456x']) {
    expectProblem(await askPin({token, msisdn}), {
      ...PROBLEMS.number_invalid,
      fields: [{path: 'msisdn', message: 'Expected a Turkish mobile number.'}],
    });
  }
  expect(await pinCalls()).toBe(0);
});

test('only the session’s mobile operators are accepted', async () => {
  const {token} = await openSubscription();
  expectProblem(await askPin({token, msisdn: newNumber(), operator: 2}), {
    ...PROBLEMS.operator_invalid,
    fields: [{path: 'operator', message: 'Expected one of the session’s mobile operators.'}],
  });
  expect(await pinCalls()).toBe(0);
});

/** Statuses of refusals that may depend on the number. */
const NUMBER_STATUSES = ['002', '003', '004', '006', '007', '018', '019', '020', '027', '028', '031', '032', '033'];

test('the answer for a number that cannot subscribe has the same body and headers as any other', async () => {
  const {token} = await openSubscription();
  const numbers = [newNumber(), ...NUMBER_STATUSES.map((status) => `5550000${status}`)];
  const answers = await Promise.all(
    numbers.map((msisdn) => askPin({token, msisdn, bindings: NO_PREFIX_LIMIT, afterPlatform: true})),
  );
  const shown = answers.map(({status, text, headers}) => {
    const {'x-request-id': _id, ...rest} = Object.fromEntries(headers);
    return JSON.stringify([status, text, rest]);
  });
  expect(answers[0]?.status).toBe(202);
  expect(new Set(shown).size).toBe(1);
  const again = await Promise.all(numbers.map((msisdn) => askPin({token, msisdn, bindings: NO_PREFIX_LIMIT})));
  for (const answer of again) {
    expectProblem(answer, PROBLEMS.rate_limited);
    expect(answer.headers.get('retry-after')).toBe('60');
  }
});

test('the answer for a number that has already subscribed is the same as any other', async () => {
  const {token} = await openSubscription();
  await control('subscriptions', {msisdn: '5339990011', product: 77});
  const [fresh, subscribed] = await Promise.all(
    [newNumber(), '5339990011'].map((msisdn) => askPin({token, msisdn, afterPlatform: true})),
  );
  expect(subscribed?.body).toEqual(fresh?.body);
  expect(await smsTo('5339990011')).toHaveLength(1);
});

describe('a problem that affects every number is reported, and does not count as a PIN, if', () => {
  test.for([
    [79, PROBLEMS.test_mode],
    [404, PROBLEMS.landing_not_found],
  ] as const)('the platform refuses the product %i', async ([product, problem]) => {
    const msisdn = newNumber();
    const token = await sessionFor(product);
    for (let attempt = 0; attempt < 2; attempt += 1)
      expectProblem(await askPin({token, msisdn, afterPlatform: true}), problem);
  });

  test('the platform is called too often', async () => {
    const {token} = await openSubscription();
    const msisdn = newNumber();
    await setFault({operation: '/landing/generate-pin', kind: 'status', status: '429', times: 1});
    expectProblem(await askPin({token, msisdn, afterPlatform: true}), PROBLEMS.rate_limited);
    expect((await askPin({token, msisdn})).status).toBe(202);
  });

  test('the platform refuses the Worker’s IP address', async () => {
    const {token} = await openSubscription();
    const msisdn = newNumber();
    await control('address', {allowed: false});
    expectProblem(await askPin({token, msisdn, afterPlatform: true}), PROBLEMS.platform_refused);
    await control('address', {allowed: true});
    expect((await askPin({token, msisdn})).status).toBe(202);
  });

  test('the landing interface is not configured', async () => {
    const {token} = await openSubscription();
    expectProblem(
      await askPin({token, msisdn: newNumber(), bindings: {LANDING_URL: undefined}, afterPlatform: true}),
      PROBLEMS.platform_refused,
    );
  });
});

describe('when it is unknown whether the SMS was sent', () => {
  test('a lost reply is reported as a problem, but the PIN counts and works', async () => {
    const {token} = await openSubscription();
    const msisdn = newNumber();
    await setFault({operation: '/landing/generate-pin', kind: 'empty', times: 1, after: true});
    const answer = await askPin({token, msisdn, afterPlatform: true});
    expectProblem(answer, PROBLEMS.temporarily_unavailable);
    expect(answer.headers.get('retry-after')).toBe('60');
    expectProblem(await askPin({token, msisdn}), PROBLEMS.rate_limited);
    expect((await subscribe({token, msisdn, pin: await pinOf(msisdn)})).status).toBe(201);
  });

  test('an internal error of the platform counts as a sent PIN', async () => {
    const {token} = await openSubscription();
    expectProblem(await askPin({token, msisdn: '5550000005', afterPlatform: true}), PROBLEMS.temporarily_unavailable);
    expectProblem(await askPin({token, msisdn: '5550000005'}), PROBLEMS.rate_limited);
  });

  test('an unreachable platform is reported as a problem', async () => {
    const {token} = await openSubscription();
    await setLine('refused');
    expectProblem(await askPin({token, msisdn: newNumber(), afterPlatform: true}), PROBLEMS.temporarily_unavailable);
  });

  test('the answer does not wait for a slow platform, and the PIN works', async () => {
    const {token} = await openSubscription();
    const msisdn = newNumber();
    await hold('/landing/generate-pin');
    expect((await askPin({token, msisdn})).status).toBe(202);
    await release('/landing/generate-pin');
    await expect.poll(() => smsTo(msisdn)).toHaveLength(1);
    expect((await subscribe({token, msisdn, pin: await pinOf(msisdn)})).status).toBe(201);
  });
});

describe('the PIN limits of a number', () => {
  test('a number gets at most three PINs in ten minutes and five a day, with growing pauses between them', async () => {
    const msisdn = newNumber();
    const requestPin = async () => askPin({token: await sessionFor(77), msisdn});
    const delay = async () => Date.parse(read(await requestPin(), PinSent, 202).resend_at) - Date.now();
    const refusal = async () => (await requestPin()).headers.get('retry-after');
    expect([await delay(), await refusal()]).toEqual([MINUTE, '60']);
    await advance(MINUTE);
    expect([await delay(), await refusal()]).toEqual([2 * MINUTE, '120']);
    await advance(2 * MINUTE);
    // The fourth PIN is refused until the first PIN is ten minutes old.
    expect([await delay(), await refusal()]).toEqual([7 * MINUTE, '420']);
    await advance(7 * MINUTE);
    expect(await delay()).toBe(8 * MINUTE);
    await advance(8 * MINUTE);
    expect(await delay()).toBe(DAY - 18 * MINUTE);
    await advance(DAY - 18 * MINUTE - SECOND);
    expect(await refusal()).toBe('1');
    await advance(SECOND);
    expect((await requestPin()).status).toBe(202);
    await expect.poll(pinCalls).toBe(6);
  });

  test('concurrent requests for one number send one PIN', async () => {
    const {token} = await openSubscription();
    const msisdn = newNumber();
    expect(countSent(await repeat(12, () => askPin({token, msisdn})))).toBe(1);
    await expect.poll(pinCalls).toBe(1);
  });

  test('if the limits are null, any number of PINs may be requested', async () => {
    const {token} = await openSubscription();
    const msisdn = newNumber();
    const LIMITS = {number_pins_per_day: null, prefix_pins_per_hour: null};
    expect(countSent(await repeat(21, () => askPin({token, msisdn, bindings: {LIMITS}})))).toBe(21);
  });
});

describe('without a human check', () => {
  test('an address sends exactly ten PINs an hour, and other addresses are not affected', async () => {
    const {token} = await openSubscription();
    const address = newAddress();
    const answers = await repeat(12, () => askPin({token, msisdn: newNumber(), address}));
    expect(countSent(answers)).toBe(10);
    for (const answer of answers.filter(({status}) => status !== 202)) {
      expectProblem(answer, PROBLEMS.rate_limited);
      expect(answer.headers.get('retry-after')).toBe('3600');
    }
    expect((await askPin({token, msisdn: newNumber()})).status).toBe(202);
    await advance(HOUR);
    expect((await askPin({token: await sessionFor(77), msisdn: newNumber(), address})).status).toBe(202);
  });

  test('all addresses of an IPv6 /64 count as one', async () => {
    const {token} = await openSubscription();
    expect(
      countSent(
        await repeat(11, (index) => askPin({token, msisdn: newNumber(), address: `2001:db8:9:1::${index + 1}`})),
      ),
    ).toBe(10);
    expect((await askPin({token, msisdn: newNumber(), address: '2001:db8:9:2::1'})).status).toBe(202);
  });

  test('a thousand numbers with the same prefix get twenty PINs an hour from all addresses together', async () => {
    const {token} = await openSubscription();
    expect(countSent(await repeat(22, (index) => askPin({token, msisdn: `5367771${100 + index}`})))).toBe(20);
    expect((await askPin({token, msisdn: '5367772100'})).status).toBe(202);
  });

  test('a refused request counts towards no limit', async () => {
    const {token} = await openSubscription();
    const [address, msisdn] = [newAddress(), newNumber()];
    await askPin({token, msisdn});
    expect(countSent(await repeat(12, () => askPin({token, msisdn, address})))).toBe(0);
    expect(countSent(await repeat(12, () => askPin({token, msisdn: newNumber(), address})))).toBe(10);
  });
});

test('if few PINs of a product are confirmed, unproven provider subnets need the human check', async () => {
  const {token} = await openSubscription();
  const ask = (address: string, more: Partial<PinRequest> = {}) =>
    askPin({token, msisdn: newNumber(), address, ...more});
  const msisdn = newNumber();
  expect(
    (await subscribe({token, msisdn, pin: await receivePin({token, msisdn, address: '198.51.100.1'})})).status,
  ).toBe(201);
  // The limits alone decide, so no PIN is sent, and numbers may share a prefix. The Worker judges the last hundred PINs
  // of a product.
  const context = contextOf(env);
  const config = {...context.config, limits: {...context.config.limits, prefixPinsPerHour: null}};
  const limits = new PinLimits(() => ({...context, config}));
  const countAdmitted = async (count: number, subnetOf: (index: number) => string) => {
    const pins = await repeat(count, (index) =>
      limits.admit({product: 77, msisdn}, {subnet: subnetOf(index), checkHuman: null}).catch(() => null),
    );
    return pins.filter((tickets) => tickets !== null).length;
  };
  expect(await countAdmitted(99, (index) => `203.0.113.${(index % 10) + 1}`)).toBe(99);

  // This subnet gets ten PINs because it confirmed one of its PINs, and then five more, as an unproven subnet would.
  expect(await countAdmitted(17, (index) => `198.51.100.${index + 2}`)).toBe(15);
  expect(await countAdmitted(7, (index) => `192.0.2.${index + 1}`)).toBe(5);
  expect(await countAdmitted(14, (index) => `10.${index % 12}.0.${index + 1}`)).toBe(10);
  const refused = await ask('10.99.0.1');
  expectProblem(refused, PROBLEMS.rate_limited);
  expect(refused.headers.get('retry-after')).toBe('3600');

  expectProblem(await ask('10.99.0.1', {bindings: TURNSTILE}), PROBLEMS.human_check_required);
  expect((await ask('10.99.0.1', {bindings: {LIMITS: {confirm_rate_percent: null}}})).status).toBe(202);
  // Requests for another product are not affected.
  expect((await askPin({token: await sessionFor(78), msisdn: newNumber(), address: '10.99.0.1'})).status).toBe(202);
});

describe('the hourly limit of a product', () => {
  const bindings = {LIMITS: {service_pins_per_hour: 20}};
  const ask = (token: string, address: string, msisdn = newNumber()) => askPin({token, msisdn, address, bindings});

  test('one provider subnet cannot use up the limit of a product', async () => {
    const {token} = await openSubscription();
    expect(countSent(await repeat(10, (index) => ask(token, `203.0.113.${index + 1}`)))).toBe(2);
    expect((await ask(token, '192.0.2.1')).status).toBe(202);
  });

  test('half of the limit is kept for provider subnets with confirmed PINs; confirmed PINs do not count', async () => {
    const {token} = await openSubscription();
    const msisdn = newNumber();
    const pin = await receivePin({token, msisdn, address: '198.51.100.1', bindings});
    expect((await subscribe({token, msisdn, pin})).status).toBe(201);
    expect(countSent(await repeat(13, (index) => ask(token, `10.${index}.0.1`)))).toBe(10);
    expect((await ask(token, '192.0.2.1')).status).toBe(429);
    expect(countSent(await repeat(6, (index) => ask(token, `198.51.100.${index + 2}`)))).toBe(2);
  });
});

describe('with a human check', () => {
  const bindings = {...TURNSTILE, LIMITS: {address_pins_per_hour: 1}};
  const VALID = {success: true, hostname: 'localhost', action: 'pin'};

  async function reachAddressLimit(token: string): Promise<string> {
    const address = newAddress();
    expect((await askPin({token, msisdn: newNumber(), address, bindings})).status).toBe(202);
    return address;
  }

  test('the page gets the sitekey, and the check is required only above a limit', async () => {
    const {token, human_check} = await openSubscription(bindings);
    expect(human_check).toEqual({sitekey: '0x4AAAAAAA', action: 'pin'});
    const {requests: verifications} = stubTurnstile(() => Response.json(VALID));
    const address = await reachAddressLimit(token);
    expect(verifications).toEqual([]);
    expectProblem(await askPin({token, msisdn: newNumber(), address, bindings}), PROBLEMS.human_check_required);
    expect((await askPin({token, msisdn: newNumber(), address, human: 'token-1', bindings})).status).toBe(202);
    expect(verifications).toEqual([{secret: 'turnstile-secret-of-ours', response: 'token-1', remoteip: address}]);
  });

  test('the human check does not lift the limits of a number', async () => {
    const {token} = await openSubscription(bindings);
    stubTurnstile(() => Response.json(VALID));
    const msisdn = newNumber();
    expect((await askPin({token, msisdn, bindings})).status).toBe(202);
    expectProblem(await askPin({token, msisdn, human: 'token-1', bindings}), PROBLEMS.rate_limited);
  });

  test('a token that Turnstile does not fully confirm is refused', async () => {
    const {token} = await openSubscription(bindings);
    const replies: Record<string, () => Response | Promise<Response>> = {
      'not passed': () => Response.json({success: false, 'error-codes': ['timeout-or-duplicate']}),
      'another host': () => Response.json({...VALID, hostname: 'evil.example'}),
      'no host': () => Response.json({success: true, action: 'pin'}),
      'another action': () => Response.json({...VALID, action: 'login'}),
      down: () => Promise.reject(new Error('down')),
      broken: () => new Response('<h1>500</h1>', {status: 500}),
      redirect: () => new Response(null, {status: 302, headers: {location: 'https://evil.example'}}),
      malformed: () => Response.json({success: 'true', hostname: 'localhost', action: 'pin'}),
    };
    const {requests: verifications} = stubTurnstile((human) => replies[human]?.() ?? Response.json(VALID));
    const address = await reachAddressLimit(token);
    const requestPin = (human: string) => askPin({token, msisdn: newNumber(), address, human, bindings});
    for (const answer of await Promise.all(Object.keys(replies).map(requestPin)))
      expectProblem(answer, PROBLEMS.human_check_failed);
    expect(verifications).toHaveLength(8);
    await expect.poll(pinCalls).toBe(1);
  });
});
