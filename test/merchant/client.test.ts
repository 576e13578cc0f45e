/**
 * Calls every method of the client over HTTP, with a Worker and a sandbox. If the table `calls` leaves out an endpoint,
 * this file does not compile.
 */

import {beforeAll, expect, inject, test} from 'vitest';
import type {Answers, EndpointName} from '../../merchant/index.ts';
import type {MerchantRow} from '../../worker/contract/endpoint.ts';
import {endpoints} from '../../worker/contract/merchant/endpoints.ts';
import {ADDRESS, connect, control, newOrder, pay, service} from './support/live-worker.ts';
import {ORIGIN} from './support/setup-servers.ts';

const requests: string[] = [];
const vezne = connect({
  fetch: (url, init) => {
    requests.push(`${init.method} ${new URL(url).pathname}`);
    return fetch(url, init);
  },
});

const bank = 'garanti';
const contact = {name: 'Deniz Örnek', iban: 'TR330006100519786457841326'};
const OFFER = {kind: 'payment', service, amount: '149.90', title: {tr: 'Lamba', en: 'Lamp'}} as const;
const landingVisit = {product: 77, user_ip: '192.0.2.7', tracking_id: 't-1', operator: 1};
/** The present day in Turkey. The sandbox and the Worker use the clock of this machine. */
const today = () => new Date(Date.now() + 3 * 3_600_000).toISOString().slice(0, 10);
let numberCount = 0;
/** Returns a mobile number that no test has used before. */
const newNumber = (prefix = '532') => `${prefix}${String((numberCount += 1)).padStart(7, '0')}`;

async function createOrder(): Promise<{service: string; order: string; amount: string; order_code: string}> {
  const {order, order_code} = await vezne.orderCodes.create({service, order: newOrder(), amount: '149.90'});
  return {service, order, amount: '149.90', order_code};
}

async function createPaidOrder() {
  const order = await createOrder();
  return {...order, transaction: await pay(order.order_code)};
}

async function createRefund() {
  const {order, amount} = await createPaidOrder();
  return vezne.refunds.create({service, order, amount, contact});
}

async function createSubscription(): Promise<{service: string; id: string}> {
  const {subscription_id: id} = await control<{subscription_id: number}>('subscriptions', {msisdn: newNumber()});
  return {service, id: String(id)};
}

async function createCharge(): Promise<{service: string; id: string}> {
  const {last_charge: last} = await vezne.subscriptions.get(await createSubscription());
  return {service, id: last?.id ?? ''};
}

async function createNotice({order, amount}: {order: string; amount: string}) {
  return vezne.paymentNotices.create({
    service,
    order,
    amount,
    bank,
    notice: {name: 'Deniz Örnek'},
  });
}

async function receivePin(msisdn: string): Promise<string> {
  await vezne.landing.generatePin({...landingVisit, msisdn});
  return pinOf(msisdn);
}

async function createRefundLink() {
  const terms = {kind: 'payment', origin: ORIGIN, service, order: newOrder(), amount: '149.90'} as const;
  const {token} = await vezne.sessions.create(terms);
  const {order, order_code} = await askAsPage<{order: string; order_code: string}>('/v1/order-code', {}, token);
  await pay(order_code);
  // While the page shows the order, the Worker looks for money every few seconds.
  const headers = {...ADDRESS, origin: ORIGIN, authorization: `Bearer ${token}`};
  const shown = async () => (await fetch(`${inject('workerUrl')}/v1/payment`, {headers})).json();
  await expect.poll(shown, {interval: 500}).toMatchObject({state: 'paid'});
  return vezne.refundLinks.create({service, order, amount: '1.00'});
}

/** A shopper fills in who buys, and orders. @returns the order's reference. */
async function createOrderOfBuyer(): Promise<string> {
  const terms = {kind: 'payment', origin: ORIGIN, service, order: newOrder(), amount: '149.90'} as const;
  const asks = {
    fields: {email: 'required'},
    privacy_url: 'https://shop.example/privacy',
    seller: {name: 'Fener'},
  } as const;
  const {token} = await vezne.sessions.create({...terms, ...asks});
  const headers = {...ADDRESS, origin: ORIGIN, authorization: `Bearer ${token}`};
  const shown = await fetch(`${inject('workerUrl')}/v1/payment`, {headers});
  const {buyer_form: form} = (await shown.json()) as {buyer_form: {version: string}};
  await askAsPage('/v1/order-code', {buyer: {form: form.version, email: 'deniz@shop.example'}}, token);
  return terms.order;
}

/** The PIN of the last SMS; empty if there is none. */
async function pinOf(msisdn: string): Promise<string> {
  const {messages} = (await (await fetch(`${inject('sandboxUrl')}/_sandbox/sms?msisdn=${msisdn}`)).json()) as {
    messages: {message: string}[];
  };
  return /\b\d{4}\b/.exec(messages.at(-1)?.message ?? '')?.[0] ?? '';
}

/** Sends a POST request as a page does. @returns the body of the answer. */
async function askAsPage<T>(path: string, body: object, token?: string): Promise<T> {
  const headers = {
    ...ADDRESS,
    origin: ORIGIN,
    'content-type': 'application/json',
    ...(token && {authorization: `Bearer ${token}`}),
  };
  const response = await fetch(`${inject('workerUrl')}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(response.ok, path).toBe(true);
  return response.json() as Promise<T>;
}

/**
 * Subscribes a number as a page does.
 * @returns the subscription, as soon as the receipt of its consent has the subscription's id.
 */
async function subscribeOnPage(): Promise<{service: string; id: string}> {
  const {token} = await askAsPage<{token: string}>('/v1/sessions', {offer: 'club'});
  const msisdn = newNumber();
  const request = {operator: 1, msisdn, tracking_id: newOrder()};
  await askAsPage('/v1/pins', request, token);
  await expect.poll(() => pinOf(msisdn)).not.toBe('');
  await askAsPage('/v1/subscriptions', {...request, pin: await pinOf(msisdn)}, token);
  const consent = async () => (await vezne.subscriptions.listConsents({tracking_id: request.tracking_id})).items[0];
  await expect.poll(async () => (await consent())?.subscription_id).toEqual(expect.any(String));
  const {service: found, subscription_id: id} = (await consent()) ?? {};
  return {service: found ?? '', id: id ?? ''};
}

async function createNumberToken(): Promise<string> {
  const {number_token: token} = await control<{number_token: string | number}>('number-tokens', {
    msisdn: newNumber(),
    operator: 4,
  });
  return String(token);
}

/** Creates a webhook whose URL has a port on which no server listens. */
const createWebhook = () => vezne.webhooks.create({url: 'http://127.0.0.1:1/', types: ['vendor.registered']});

const calls: {readonly [N in EndpointName]: () => PromiseLike<Answers[N]>} = {
  createSession: () =>
    vezne.sessions.create({kind: 'payment', origin: ORIGIN, service, order: newOrder(), amount: '149.90'}),
  findOrderCode: async () => vezne.orderCodes.find({service, order: (await createOrder()).order}),
  createOrderCode: () => vezne.orderCodes.create({service, order: newOrder(), amount: '149.90'}),
  createHostedOrderCode: () =>
    vezne.orderCodes.createHosted({service, order: newOrder(), amount: '149.90', redirect_url: `${ORIGIN}/thanks`}),
  updateOrderCode: async () => vezne.orderCodes.update({service, order: (await createOrder()).order, amount: '129.90'}),
  completeOrder: async () => vezne.orders.complete({service, order: (await createPaidOrder()).order}),
  cancelOrder: async () => vezne.orders.cancel({service, order: (await createOrder()).order}),
  getOrder: async () => vezne.orders.get({service, order: (await createOrder()).order}),
  searchOrders: () => vezne.orders.search({service, email: 'deniz@shop.example'}),
  getOrderConsent: async () => vezne.orders.getConsent({service, order: await createOrderOfBuyer()}),
  listWork: () => vezne.books.work({service, kind: 'unmatched'}),
  forgetPerson: async () => vezne.books.forgetPerson({service, order: (await createOrder()).order}),
  showTimeline: async () => vezne.orders.timeline({service, order: (await createPaidOrder()).order}),
  showDay: () => vezne.books.day({service, day: today()}),
  searchBookings: () => vezne.books.search({service, sender: 'ornek'}),
  listOrders: () => vezne.orders.list({service, day: today()}),
  getTransaction: async () => vezne.transactions.get({id: (await createPaidOrder()).transaction}),
  searchTransactions: () => vezne.transactions.search({service, limit: 1}),
  getPaymentNotice: async () => {
    await control('readings', {notice_code: 'own_id'});
    return vezne.paymentNotices.get({id: (await createNotice(await createOrder())).notice_code});
  },
  createPaymentNotice: async () => createNotice(await createOrder()),
  getRefund: async () => vezne.refunds.get({id: (await createRefund()).id}),
  listRefunds: async () => vezne.refunds.list({order: (await createRefund()).order}),
  createRefund,
  createRefundLink,
  getRefundLink: async () => vezne.refundLinks.get({id: (await createRefundLink()).id}),
  withdrawRefundLink: async () => vezne.refundLinks.withdraw({id: (await createRefundLink()).id}),
  createVendorForm: () =>
    vezne.vendorForms.create({
      service,
      vendor_code: newOrder(),
      name: 'Örnek Ticaret',
      phone: '5321234567',
      iban: contact.iban,
      success_url: `${ORIGIN}/yes`,
      failure_url: `${ORIGIN}/no`,
    }),
  listBanks: () => vezne.banks.list(),
  getSubscription: async () => vezne.subscriptions.get(await createSubscription()),
  getConsent: async () => {
    const found = await subscribeOnPage();
    return vezne.subscriptions.getConsent(found);
  },
  listConsents: () => vezne.subscriptions.listConsents({tracking_id: 't-1', address: '192.0.2.7'}),
  cancelSubscription: async () => vezne.subscriptions.cancel(await createSubscription()),
  searchSubscriptions: () => vezne.subscriptions.search({service, limit: 1}),
  resetTestNumber: async () => {
    const msisdn = newNumber('555');
    await control('subscriptions', {msisdn});
    return vezne.testNumbers.reset({service, msisdn});
  },
  getCharge: async () => vezne.charges.get(await createCharge()),
  refundCharge: async () => vezne.charges.refund(await createCharge()),
  searchCharges: () => vezne.charges.search({service, sort: [{column: 'id', asc: false}], limit: 1}),
  searchMessages: () => vezne.messages.search({service, limit: 1}),
  createPaymentPage: () =>
    vezne.paymentPages.create({
      service,
      reference: 'R-7',
      item: 'Aylık üyelik',
      price: '30.00',
      success_url: `${ORIGIN}/yes`,
      failure_url: `${ORIGIN}/no`,
    }),
  generatePin: () => vezne.landing.generatePin({...landingVisit, msisdn: newNumber()}),
  requestSubscription: async () => {
    const msisdn = newNumber();
    return vezne.landing.requestSubscription({...landingVisit, msisdn, pin: await receivePin(msisdn)});
  },
  cancelLandingSubscription: async () =>
    vezne.landing.cancelSubscription({subscription: (await createSubscription()).id}),
  getNumber: async () => vezne.landing.getNumber({number_token: await createNumberToken()}),
  addActivity: () => vezne.landing.addActivity({type: 'subscribe_clicked', product: 77, tracking_id: 't-1'}),
  listEvents: () => vezne.events.list(),
  listDeadEvents: () => vezne.events.listDead(),
  getEvent: async () => {
    await createNotice(await createOrder());
    const {items} = await vezne.events.list();
    return vezne.events.get({id: items[0]?.id ?? ''});
  },
  resendEvent: async () => {
    await createNotice(await createOrder());
    const {items} = await vezne.events.list();
    return vezne.events.resend({id: items[0]?.id ?? ''});
  },
  resendDeliveries: () => vezne.webhooks.resendDeliveries({}),
  listWebhooks: () => vezne.webhooks.list(),
  createWebhook,
  getWebhook: async () => vezne.webhooks.get({id: (await createWebhook()).id}),
  updateWebhook: async () => vezne.webhooks.update({id: (await createWebhook()).id, enabled: false}),
  deleteWebhook: async () => vezne.webhooks.delete({id: (await createWebhook()).id}),
  rotateWebhookSecret: async () => vezne.webhooks.rotateSecret({id: (await createWebhook()).id}),
  testWebhook: async () => vezne.webhooks.test({id: (await createWebhook()).id}),
  listDeliveries: () => vezne.webhooks.listDeliveries({state: 'waiting'}),
  showFunnel: () => vezne.books.funnel({from: today()}),
  showQuotas: () => vezne.quotas.show(),
  listCommands: () => vezne.commands.list(),
  putOffer: () => vezne.offers.put({...OFFER, id: 'lamp'}),
  getOffer: async () => vezne.offers.get({id: (await vezne.offers.put({...OFFER, id: 'lamp'})).id}),
  listOffers: () => vezne.offers.list(),
  deleteOffer: async () => vezne.offers.delete({id: (await vezne.offers.put({...OFFER, id: 'gone'})).id}),
  createKey: () => vezne.keys.create({name: 'till', scopes: ['sessions']}),
  listKeys: () => vezne.keys.list(),
  revokeKey: async () => vezne.keys.revoke({id: (await vezne.keys.create({name: 'till', scopes: ['read']})).id}),
  examine: () => vezne.doctor.examine(),
};

beforeAll(() => control('limits', {limits: null}));

test.for(Object.entries(calls))(
  'the client’s method for %s calls the endpoint of the contract, and the answer matches the contract',
  async ([name, call]) => {
    const {method, path, docs}: MerchantRow = endpoints[name as EndpointName];
    docs.answer.parse(await call());
    expect(requests.at(-1)).toMatch(new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`));
  },
);
