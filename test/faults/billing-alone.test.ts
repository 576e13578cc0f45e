/**
 * A merchant who uses only mobile billing: workerd runs the Worker with its Durable Objects, but without `PHS_URL`,
 * `MERCHANT_IP` and `MERCHANT_KEY`.
 */

import {expect, inject, test} from 'vitest';
import {sendRequest} from './support/http-request.ts';
import {LandingStack} from './support/landing-stack.ts';

const MSISDN = '5312345678';

test('if only mobile billing is configured, subscriptions work, and a request for an order code gets `misconfigured`', async () => {
  const stack = await LandingStack.open(inject('bundles'), undefined, {
    without: ['PHS_URL', 'MERCHANT_IP', 'MERCHANT_KEY'],
    vars: {MERCHANT_API_KEY: 'sandbox-merchant-api-key'},
  });
  try {
    const token = await stack.openSession('club');
    expect((await stack.requestPin(token, MSISDN, '192.0.2.1')).status).toBe(202);
    const body = {operator: 1, msisdn: MSISDN, pin: await stack.pinOf(MSISDN), tracking_id: 't-1'};
    const subscribed = await stack.request('/v1/subscriptions', {token, body});
    expect([subscribed.status, JSON.parse(subscribed.text)]).toEqual([201, {state: 'subscribed'}]);

    const merchant = (path: string, sent?: object) =>
      sendRequest(`${stack.worker.url('worker')}/merchant/v1/${path}`, {
        headers: {authorization: 'Bearer sandbox-merchant-api-key', 'content-type': 'application/json'},
        body: sent && JSON.stringify(sent),
      });
    const charges = await merchant('charges/search', {service: 'DEMO'});
    expect([charges.status, JSON.parse(charges.text)]).toMatchObject([200, {items: [{state: 'successful'}]}]);
    const eventTypes = async () =>
      (JSON.parse((await merchant('events')).text) as {items: {type: string}[]}).items.map(({type}) => type);
    // The event is added to the list after the shopper has been answered.
    await expect.poll(eventTypes).toContain('subscription.started');

    const code = await stack.request('/v1/order-code', {token: await stack.openSession('gold'), body: {}});
    expect([code.status, JSON.parse(code.text)]).toMatchObject([503, {code: 'misconfigured'}]);
  } finally {
    await stack.close();
  }
});
