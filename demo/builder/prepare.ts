/**
 * What the merchant's server, the shopper's bank and the mobile network do before a page shows an element in a state.
 * The sandbox's key, with which this page acts as the server, is known to everybody.
 */

import {callMerchant, createSession} from '../merchant-server.ts';
import type {SandboxClient} from '../sandbox-client.ts';
import {type Choices, MARKETING, offerName, PRIVACY} from './choices.ts';
import type {Offers} from './elements.ts';
import type {State} from './states.ts';

const SERVICE = 'DEMO';
const AMOUNT = '149.90';
/** The seller whom an element names where only the seller can help. */
const SELLER = {name: 'Fener Atölyesi', support_email: 'destek@fener.example', support_phone: '0850 000 00 00'};
const VENDOR = {name: 'Ada Seramik', phone: '05321234567', iban: 'TR330006100519786457841326'};

/** What arrives for an order. */
const ARRIVING: Readonly<Partial<Record<State | 'link', string>>> = {
  partial: '100.00',
  paid: AMOUNT,
  overpaid: '200.00',
  refunding: '200.00',
  link: '200.00',
};

export interface Servers {
  readonly key: string;
  readonly sandbox: SandboxClient;
}

/** Attributes of the element, as the merchant's server writes them. */
export type Written = Readonly<Record<string, string>>;

export function vendorSession({key}: Servers): Promise<string> {
  const vendor = {vendor_code: `V-${Date.now().toString(36)}`, ...VENDOR};
  return createSession(key, {kind: 'vendor', service: SERVICE, ...vendor});
}

/** The session of a subscriber who is signed in at the merchant. */
export function managementSession({key}: Servers, service: string, subscription: string): Promise<string> {
  return createSession(key, {kind: 'management', via: 'micropayment', service, subscription, seller: SELLER});
}

/** Makes an order in a state, and returns what the server writes into the page. */
export async function prepareOrder(servers: Servers, state: State | 'link'): Promise<Written> {
  const {key, sandbox} = servers;
  const order = `S-${Date.now().toString(36)}`;
  const session = await createSession(key, {kind: 'payment', service: SERVICE, order, amount: AMOUNT, seller: SELLER});
  const response = await fetch('/v1/order-code', {
    method: 'POST',
    headers: {authorization: `Bearer ${session}`, 'content-type': 'application/json'},
    body: JSON.stringify({bank: 'ziraat'}),
  });
  const {order_code: description} = (await response.json()) as {order_code: string};
  const amount = ARRIVING[state];
  if (amount) await sandbox.send({description, bank: 'ziraat', amount, sender: 'Deniz Örnek'});
  if (state === 'refunding' || state === 'link') await untilPaid(session);
  if (state === 'link')
    return {link: (await callMerchant<{url: string}>(key, 'POST', 'refund-links', {service: SERVICE, order})).url};
  if (state === 'refunding') {
    const contact = {name: 'Deniz Örnek', iban: VENDOR.iban};
    await callMerchant(key, 'POST', 'refunds', {service: SERVICE, order, amount: '200.00', contact});
  }
  return {session};
}

const RETRY_MS = 1_000;
const GIVE_UP_AFTER_MS = 60_000;

/**
 * While a page reads the payment, the Worker learns within seconds of money that has arrived.
 * @throws {Error} if it does not.
 */
async function untilPaid(session: string): Promise<void> {
  for (const end = Date.now() + GIVE_UP_AFTER_MS; Date.now() < end;) {
    const response = await fetch('/v1/payment', {headers: {authorization: `Bearer ${session}`}});
    const {paid} = (await response.json()) as {paid?: string};
    if (paid !== undefined && paid !== '0.00') return;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  throw new Error('The money did not arrive.');
}

/** Makes a subscription in a state, and returns the session of its subscriber. */
export async function prepareSubscription(servers: Servers, state: State): Promise<Written> {
  const msisdn = `53${String(Date.now()).slice(-8)}`;
  const {subscription_id: id} = await servers.sandbox.make<{subscription_id: number}>('subscriptions', {msisdn});
  if (state !== 'active') await servers.sandbox.control(`subscriptions/${id}/status`, {status: state});
  return {session: await managementSession(servers, SERVICE, String(id))};
}

/** Lets the mobile network recognize the number of the visitor. */
export async function prepareVisit({sandbox}: Servers): Promise<Written> {
  return {'number-token': await sandbox.issueNumberToken(`53${String(Date.now()).slice(-8)}`)};
}

/** Makes an offer that asks who buys. A merchant writes it into the configuration, or makes it by the same request. */
export async function makeOffer({key}: Servers, choices: Choices, offers: Offers): Promise<void> {
  await callMerchant(key, 'PUT', `offers/${offerName(choices)}`, {
    privacy_url: PRIVACY,
    ...offers[choices.offer],
    uses: 'many',
    fields: Object.fromEntries(choices.fields.map((field) => [field, field === 'marketing' ? MARKETING : 'required'])),
  });
}
