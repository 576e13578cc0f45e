/**
 * What the merchant's server, the shopper's bank and the mobile network do before a page shows an element in a state.
 * The sandbox's key, with which this page acts as the server, is known to everybody.
 */

import {callMerchant, createSession, readAnswer} from '../merchant-server.ts';
import type {SandboxClient} from '../sandbox-client.ts';
import type {Offer} from './elements.ts';
import {SELLER} from './offer.ts';

const SERVICE = 'DEMO';
const AMOUNT = '149.90';
const BANK = 'ziraat';
const VENDOR = {name: 'Ada Seramik', phone: '05321234567', iban: 'TR330006100519786457841326'};

export interface Servers {
  readonly key: string;
  readonly sandbox: SandboxClient;
}

interface Order {
  readonly order: string;
  readonly session: string;
  readonly code: string;
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

/** Makes an order with its code, and returns the session that the server writes into the page. */
export async function prepareOrder({key}: Servers): Promise<Order> {
  const order = `S-${Date.now().toString(36)}`;
  const session = await createSession(key, {kind: 'payment', service: SERVICE, order, amount: AMOUNT, seller: SELLER});
  const {order_code: code} = await askAsPage<{order_code: string}>('/v1/order-code', session, {bank: BANK});
  return {order, session, code};
}

/** What the elements of another page would ask. */
async function askAsPage<T>(path: string, session: string, body: object): Promise<T> {
  const headers = {authorization: `Bearer ${session}`, 'content-type': 'application/json'};
  const response = await fetch(path, {method: 'POST', headers, body: JSON.stringify(body)});
  return readAnswer(response);
}

/** Makes an order that is paid too much. The Worker has read the banks until then. @returns The merchant's reference. */
export async function prepareOverpaid(servers: Servers): Promise<string> {
  const {order, session, code} = await prepareOrder(servers);
  await servers.sandbox.send({description: code, bank: BANK, amount: '200.00', sender: 'Deniz Örnek'});
  await untilPaid(session);
  return order;
}

/** Makes an order that is paid too much, and the link with which its shopper says where the money goes back. */
export async function prepareRefund(servers: Servers): Promise<Written> {
  const order = await prepareOverpaid(servers);
  return {
    link: (await callMerchant<{url: string}>(servers.key, 'POST', 'refund-links', {service: SERVICE, order})).url,
  };
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

/** Makes the code of a hand-off, with which a second device opens the order. */
export async function prepareHandoff(session: string): Promise<string> {
  return (await askAsPage<{code: string}>('/v1/handoffs', session, {})).code;
}

/** Makes a subscription, and returns the session of its subscriber. */
export async function prepareSubscription(servers: Servers): Promise<Written> {
  const msisdn = `53${String(Date.now()).slice(-8)}`;
  const {subscription_id: id} = await servers.sandbox.make<{subscription_id: number}>('subscriptions', {msisdn});
  return {session: await managementSession(servers, SERVICE, String(id))};
}

/** Lets the mobile network recognize the number of the visitor. */
export async function prepareVisit({sandbox}: Servers): Promise<Written> {
  return {'number-token': await sandbox.issueNumberToken(`53${String(Date.now()).slice(-8)}`)};
}

/** Makes an offer. A merchant writes it into the configuration, or makes it by the same request. */
export const makeOffer = ({key}: Servers, name: string, offer: Offer): Promise<unknown> =>
  callMerchant(key, 'PUT', `offers/${name}`, {...offer, uses: 'many'});
