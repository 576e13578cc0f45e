import {env} from 'cloudflare:workers';
import {describe, expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {PinSent} from '../../../../worker/contract/browser/subscription-answers.ts';
import {advance, DAY, HOUR, MINUTE, SECOND, wireTime} from '../../support/clock.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {type Answer, newAddress, openSubscription, ORIGIN, read} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {control, landingCalls, setLine, pinOf, setFault, smsTo} from '../../support/sandbox.ts';
import {type PinRequest, askPin, awaitPins, newNumber, receivePin, subscribe} from '../../support/subscriber.ts';
import {TURNSTILE, turnstileSays} from '../../support/turnstile.ts';

freshWorker();
awaitPins();

const NO_PREFIX_LIMIT = {LIMITS: {prefix_pins_per_hour: null}};

/** All at once, up to as many as a busy machine answers in time. */
async function many<T>(count: number, task: (index: number) => Promise<T>, atOnce = 20): Promise<T[]> {
  const done: T[] = [];
  while (done.length < count) {
    const first = done.length;
    done.push(
      ...(await Promise.all(Array.from({length: Math.min(atOnce, count - first)}, (_, index) => task(first + index)))),
    );
  }
  return done;
}

/** How many were sent; all others were told to wait. */
function sent(answers: readonly Answer[]): number {
  const others = answers.filter(({status}) => status !== 202 && status !== 429);
  expect(others.map(({text}) => text)).toEqual([]);
  return answers.filter(({status}) => status === 202).length;
}
const pinCalls = async (): Promise<number> => (await landingCalls('generate-pin')).length;

/** A session of the merchant's server, for a product that has no offer. */
function sessionFor(product: number): Promise<string> {
  return contextOf(env).sessions.sign({
    kind: 'subscription',
    origin: ORIGIN,
    product,
    price: 1200,
    period: 'weekly',
    operators: [{id: 1, name: 'Bir'}],
    details: 'none',
    expiresAt: Date.now() + HOUR,
  });
}

test('sends a PIN to the number, for the product of the session and nothing the page says', async () => {
  const {token} = await openSubscription();
  const answer = await askPin({token, msisdn: '+90 (532) 123-45.67', address: '198.51.100.7', realTiming: true});
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

test('sends nothing to what is no Turkish mobile number', async () => {
  const {token} = await openSubscription();
  for (const msisdn of ['02121234567', '+4915112345678', '532123456x']) {
    expectProblem(await askPin({token, msisdn}), {
      ...PROBLEMS.number_invalid,
      fields: [{path: 'msisdn', message: 'Expected a Turkish mobile number.'}],
    });
  }
  expect(await pinCalls()).toBe(0);
});

test('takes the session’s operators and no others', async () => {
  const {token} = await openSubscription();
  expectProblem(await askPin({token, msisdn: newNumber(), operator: 2}), {
    ...PROBLEMS.operator_invalid,
    fields: [{path: 'operator', message: 'Expected one of the session’s mobile operators.'}],
  });
  expect(await pinCalls()).toBe(0);
});

/** What the platform says of a number, or says that nobody has heard before. */
const OF_NUMBERS = ['002', '003', '004', '006', '007', '018', '019', '020', '027', '028', '031', '032', '033'];

test('a number that cannot subscribe is answered as any other, in body and headers', async () => {
  const {token} = await openSubscription();
  const numbers = [newNumber(), ...OF_NUMBERS.map((status) => `5550000${status}`)];
  const answers = await Promise.all(
    numbers.map((msisdn) => askPin({token, msisdn, bindings: NO_PREFIX_LIMIT, realTiming: true})),
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

test('a number that subscribed elsewhere is answered as any other', async () => {
  const {token} = await openSubscription();
  await control('subscriptions', {msisdn: '5339990011', product: 77});
  const [fresh, subscribed] = await Promise.all(
    [newNumber(), '5339990011'].map((msisdn) => askPin({token, msisdn, realTiming: true})),
  );
  expect(subscribed?.body).toEqual(fresh?.body);
  expect(await smsTo('5339990011')).toHaveLength(1);
});

describe('what holds for every number is told, and costs nobody a PIN', () => {
  test.for([
    [79, PROBLEMS.test_mode],
    [404, PROBLEMS.landing_not_found],
  ] as const)('product %i', async ([product, problem]) => {
    const msisdn = newNumber();
    const token = await sessionFor(product);
    for (let attempt = 0; attempt < 2; attempt += 1)
      expectProblem(await askPin({token, msisdn, realTiming: true}), problem);
  });

  test('the platform does not know our address', async () => {
    const {token} = await openSubscription();
    const msisdn = newNumber();
    await control('address', {allowed: false});
    expectProblem(await askPin({token, msisdn, realTiming: true}), PROBLEMS.platform_refused);
    await control('address', {allowed: true});
    expect((await askPin({token, msisdn})).status).toBe(202);
  });

  test('the landing interface is not configured', async () => {
    const {token} = await openSubscription();
    expectProblem(
      await askPin({token, msisdn: newNumber(), bindings: {LANDING_URL: undefined}, realTiming: true}),
      PROBLEMS.platform_refused,
    );
  });
});

describe('when nobody knows whether an SMS went out', () => {
  test('the answer says that something is wrong, the PIN counts, and it is good', async () => {
    const {token} = await openSubscription();
    const msisdn = newNumber();
    await setFault({operation: '/landing/generate-pin', kind: 'empty', times: 1, after: true});
    const answer = await askPin({token, msisdn, realTiming: true});
    expectProblem(answer, PROBLEMS.temporarily_unavailable);
    expect(answer.headers.get('retry-after')).toBe('60');
    expectProblem(await askPin({token, msisdn}), PROBLEMS.rate_limited);
    expect((await subscribe({token, msisdn, pin: await pinOf(msisdn)})).status).toBe(201);
  });

  test('a platform that broke inside may have sent it', async () => {
    const {token} = await openSubscription();
    expectProblem(await askPin({token, msisdn: '5550000005', realTiming: true}), PROBLEMS.temporarily_unavailable);
    expectProblem(await askPin({token, msisdn: '5550000005'}), PROBLEMS.rate_limited);
  });

  test('a platform that is not there is told of', async () => {
    const {token} = await openSubscription();
    await setLine('refused');
    expectProblem(await askPin({token, msisdn: newNumber(), realTiming: true}), PROBLEMS.temporarily_unavailable);
  });

  test('nobody waits for a slow platform, and its PIN is good all the same', async () => {
    const {token} = await openSubscription();
    const msisdn = newNumber();
    await setFault({operation: '/landing/generate-pin', kind: 'delay', delay_ms: 1_000, times: 1});
    expect((await askPin({token, msisdn})).status).toBe(202);
    await expect.poll(() => smsTo(msisdn), {timeout: 20_000}).toHaveLength(1);
    expect((await subscribe({token, msisdn, pin: await pinOf(msisdn)})).status).toBe(201);
  });
});

describe('one number', () => {
  test('has pauses that grow, three PINs in ten minutes and five a day', async () => {
    const msisdn = newNumber();
    const ask = async () => askPin({token: await sessionFor(77), msisdn});
    const delay = async () => Date.parse(read(await ask(), PinSent, 202).resend_at) - Date.now();
    const refusal = async () => (await ask()).headers.get('retry-after');
    expect([await delay(), await refusal()]).toEqual([MINUTE, '60']);
    await advance(MINUTE);
    expect([await delay(), await refusal()]).toEqual([2 * MINUTE, '120']);
    await advance(2 * MINUTE);
    // The fourth waits until the first is ten minutes old.
    expect([await delay(), await refusal()]).toEqual([7 * MINUTE, '420']);
    await advance(7 * MINUTE);
    expect(await delay()).toBe(8 * MINUTE);
    await advance(8 * MINUTE);
    expect(await delay()).toBe(DAY - 18 * MINUTE);
    await advance(DAY - 18 * MINUTE - SECOND);
    expect(await refusal()).toBe('1');
    await advance(SECOND);
    expect((await ask()).status).toBe(202);
    await expect.poll(pinCalls, {timeout: 20_000}).toBe(6);
  });

  test('has one PIN however many ask at once, from wherever', async () => {
    const {token} = await openSubscription();
    const msisdn = newNumber();
    expect(sent(await many(40, () => askPin({token, msisdn})))).toBe(1);
    await expect.poll(pinCalls, {timeout: 20_000}).toBe(1);
  });

  test('null lifts its limits', async () => {
    const {token} = await openSubscription();
    const msisdn = newNumber();
    const bindings = {
      LIMITS: {
        number_pin_pause_seconds: null,
        number_pins_per_10_minutes: null,
        number_pins_per_day: null,
        prefix_pins_per_hour: null,
      },
    };
    expect(sent(await many(25, () => askPin({token, msisdn, bindings})))).toBe(25);
  });
});

describe('without a human check', () => {
  test('one address sends ten an hour, exactly, and only that address waits', async () => {
    const {token} = await openSubscription();
    const address = newAddress();
    const answers = await many(25, () => askPin({token, msisdn: newNumber(), address}));
    expect(sent(answers)).toBe(10);
    for (const answer of answers.filter(({status}) => status !== 202)) {
      expectProblem(answer, PROBLEMS.rate_limited);
      expect(answer.headers.get('retry-after')).toBe('3600');
    }
    expect((await askPin({token, msisdn: newNumber()})).status).toBe(202);
    await advance(HOUR);
    expect((await askPin({token: await sessionFor(77), msisdn: newNumber(), address})).status).toBe(202);
  });

  test('all addresses an IPv6 customer is given count as one', async () => {
    const {token} = await openSubscription();
    expect(
      sent(await many(15, (index) => askPin({token, msisdn: newNumber(), address: `2001:db8:9:1::${index + 1}`}))),
    ).toBe(10);
    expect((await askPin({token, msisdn: newNumber(), address: '2001:db8:9:2::1'})).status).toBe(202);
  });

  test('a thousand numbers that begin alike are sent twenty an hour, whoever asks', async () => {
    const {token} = await openSubscription();
    expect(sent(await many(30, (index) => askPin({token, msisdn: `5367771${100 + index}`})))).toBe(20);
    expect((await askPin({token, msisdn: '5367772100'})).status).toBe(202);
  });

  test('what was refused is counted nowhere', async () => {
    const {token} = await openSubscription();
    const [address, msisdn] = [newAddress(), newNumber()];
    await askPin({token, msisdn});
    expect(sent(await many(20, () => askPin({token, msisdn, address})))).toBe(0);
    expect(sent(await many(12, () => askPin({token, msisdn: newNumber(), address})))).toBe(10);
  });
});

test('of a product whose PINs do not come back, strangers have a few an hour, who lives where they do goes on, and the human check opens it', async () => {
  const {token} = await openSubscription();
  const ask = (address: string, more: Partial<PinRequest> = {}) =>
    askPin({token, msisdn: newNumber(), address, ...more});
  const msisdn = newNumber();
  expect(
    (await subscribe({token, msisdn, pin: await receivePin({token, msisdn, address: '198.51.100.1'})})).status,
  ).toBe(201);
  expect(sent(await many(99, (index) => ask(`203.0.113.${(index % 10) + 1}`)))).toBe(99);

  // Ten for the one that came back, then five as strangers.
  expect(sent(await many(20, (index) => ask(`198.51.100.${index + 2}`)))).toBe(15);
  expect(sent(await many(12, (index) => ask(`192.0.2.${index + 1}`)))).toBe(5);
  expect(sent(await many(40, (index) => ask(`10.${index % 12}.0.${index + 1}`)))).toBe(10);
  const stranger = await ask('10.99.0.1');
  expectProblem(stranger, PROBLEMS.rate_limited);
  expect(stranger.headers.get('retry-after')).toBe('3600');

  expectProblem(await ask('10.99.0.1', {bindings: TURNSTILE}), PROBLEMS.human_check_required);
  expect((await ask('10.99.0.1', {bindings: {LIMITS: {confirm_rate_percent: null}}})).status).toBe(202);
  // Another product's page knows nothing of it.
  expect((await askPin({token: await sessionFor(78), msisdn: newNumber(), address: '10.99.0.1'})).status).toBe(202);
});

describe('the cap of a product', () => {
  const bindings = {LIMITS: {service_pins_per_hour: 20}};
  const ask = (token: string, address: string, msisdn = newNumber()) => askPin({token, msisdn, address, bindings});

  test('is not for one neighbourhood to use up', async () => {
    const {token} = await openSubscription();
    expect(sent(await many(10, (index) => ask(token, `203.0.113.${index + 1}`)))).toBe(2);
    expect((await ask(token, '192.0.2.1')).status).toBe(202);
  });

  test('keeps half for neighbourhoods whose PINs come back, and what came back costs nothing', async () => {
    const {token} = await openSubscription();
    const msisdn = newNumber();
    const pin = await receivePin({token, msisdn, address: '198.51.100.1', bindings});
    expect((await subscribe({token, msisdn, pin})).status).toBe(201);
    expect(sent(await many(30, (index) => ask(token, `10.${index}.0.1`)))).toBe(10);
    expect((await ask(token, '192.0.2.1')).status).toBe(429);
    expect(sent(await many(6, (index) => ask(token, `198.51.100.${index + 2}`)))).toBe(2);
  });
});

describe('with a human check', () => {
  const bindings = {...TURNSTILE, LIMITS: {address_pins_per_hour: 1}};
  const right = {success: true, hostname: 'localhost', action: 'pin'};

  async function crowdedAddress(token: string): Promise<string> {
    const address = newAddress();
    expect((await askPin({token, msisdn: newNumber(), address, bindings})).status).toBe(202);
    return address;
  }

  test('is shown to the page, and asked for above a limit only', async () => {
    const {token, human_check} = await openSubscription(bindings);
    expect(human_check).toEqual({sitekey: '0x4AAAAAAA', action: 'pin'});
    const {asked} = turnstileSays(() => Response.json(right));
    const address = await crowdedAddress(token);
    expect(asked).toEqual([]);
    expectProblem(await askPin({token, msisdn: newNumber(), address, bindings}), PROBLEMS.human_check_required);
    expect((await askPin({token, msisdn: newNumber(), address, human: 'token-1', bindings})).status).toBe(202);
    expect(asked).toEqual([{secret: 'turnstile-secret-of-ours', response: 'token-1', remoteip: address}]);
  });

  test('no number is sent more for it', async () => {
    const {token} = await openSubscription(bindings);
    turnstileSays(() => Response.json(right));
    const msisdn = newNumber();
    expect((await askPin({token, msisdn, bindings})).status).toBe(202);
    expectProblem(await askPin({token, msisdn, human: 'token-1', bindings}), PROBLEMS.rate_limited);
  });

  test('lets nobody pass that it cannot vouch for', async () => {
    const {token} = await openSubscription(bindings);
    const says: Record<string, () => Response | Promise<Response>> = {
      'not passed': () => Response.json({success: false, 'error-codes': ['timeout-or-duplicate']}),
      'of another host': () => Response.json({...right, hostname: 'evil.example'}),
      'of no host': () => Response.json({success: true, action: 'pin'}),
      'for another action': () => Response.json({...right, action: 'login'}),
      down: () => Promise.reject(new Error('down')),
      broken: () => new Response('<h1>500</h1>', {status: 500}),
      'leading elsewhere': () => new Response(null, {status: 302, headers: {location: 'https://evil.example'}}),
      'saying something else': () => Response.json({success: 'true', hostname: 'localhost', action: 'pin'}),
    };
    const {asked} = turnstileSays((human) => says[human]?.() ?? Response.json(right));
    const address = await crowdedAddress(token);
    const ask = (human: string) => askPin({token, msisdn: newNumber(), address, human, bindings});
    for (const answer of await Promise.all(Object.keys(says).map(ask)))
      expectProblem(answer, PROBLEMS.human_check_failed);
    expect(asked).toHaveLength(8);
    await expect.poll(pinCalls, {timeout: 20_000}).toBe(1);
  });
});
