/** Every method, once, against a Worker and a sandbox over HTTP. A new endpoint does not compile until it is called here. */

import {beforeAll, expect, inject, test} from 'vitest';
import type {Answers, EndpointName} from '../../merchant/index.ts';
import type {Endpoint} from '../../worker/contract/merchant/endpoint.ts';
import {endpoints} from '../../worker/contract/merchant/endpoints.ts';
import {connect, control, newOrder, pay, service} from './support/live-worker.ts';
import {ORIGIN} from './support/setup-servers.ts';

const asked: string[] = [];
const vezne = connect({
  fetch: (url, init) => {
    asked.push(`${init.method} ${new URL(url).pathname}`);
    return fetch(url, init);
  },
});

const bank = 'garanti';
const contact = {name: 'Deniz Örnek', iban: 'TR330006100519786457841326'};
const from = {product: 77, user_ip: '192.0.2.7', tracking_id: 't-1', operator: 1};
let numbers = 0;
/** A mobile number that nobody had before. */
const newNumber = (prefix = '532') => `${prefix}${String((numbers += 1)).padStart(7, '0')}`;

async function order(): Promise<{service: string; order: string; amount: string; order_code: string}> {
  const {order: name, order_code} = await vezne.orderCodes.create({service, order: newOrder(), amount: '149.90'});
  return {service, order: name, amount: '149.90', order_code};
}

async function paidOrder() {
  const made = await order();
  return {...made, transaction: await pay(made.order_code)};
}

async function refund() {
  const {order: name, amount} = await paidOrder();
  return vezne.refunds.create({service, order: name, amount, contact});
}

async function subscription(): Promise<{service: string; id: string}> {
  const {subscription_id: id} = await control<{subscription_id: number}>('subscriptions', {msisdn: newNumber()});
  return {service, id: String(id)};
}

async function charge(): Promise<{service: string; id: string}> {
  const {last_charge: last} = await vezne.subscriptions.get(await subscription());
  return {service, id: last?.id ?? ''};
}

async function noticeOf(made: {order: string; amount: string}) {
  return vezne.paymentNotices.create({
    service,
    order: made.order,
    amount: made.amount,
    bank,
    notice: {name: 'Deniz Örnek'},
  });
}

async function pin(msisdn: string): Promise<string> {
  await vezne.landing.generatePin({...from, msisdn});
  const {messages} = (await (await fetch(`${inject('sandboxUrl')}/_sandbox/sms?msisdn=${msisdn}`)).json()) as {
    messages: {message: string}[];
  };
  return /\b\d{4}\b/.exec(messages.at(-1)?.message ?? '')?.[0] ?? '';
}

async function numberToken(): Promise<string> {
  const {number_token: token} = await control<{number_token: string | number}>('number-tokens', {
    msisdn: newNumber(),
    operator: 4,
  });
  return String(token);
}

const calls: {readonly [N in EndpointName]: () => PromiseLike<Answers[N]>} = {
  createSession: () =>
    vezne.sessions.create({kind: 'payment', origin: ORIGIN, service, order: newOrder(), amount: '149.90'}),
  findOrderCode: async () => vezne.orderCodes.find({service, order: (await order()).order}),
  createOrderCode: () => vezne.orderCodes.create({service, order: newOrder(), amount: '149.90'}),
  createHostedOrderCode: () =>
    vezne.orderCodes.createHosted({service, order: newOrder(), amount: '149.90', redirect_url: `${ORIGIN}/thanks`}),
  updateOrderCode: async () => vezne.orderCodes.update({service, order: (await order()).order, amount: '129.90'}),
  completeOrder: async () => vezne.orders.complete({service, order: (await paidOrder()).order}),
  getTransaction: async () => vezne.transactions.get({id: (await paidOrder()).transaction}),
  searchTransactions: () => vezne.transactions.search({service, limit: 1}),
  // The sandbox's notices go by one name.
  getPaymentNotice: async () => vezne.paymentNotices.get({id: (await noticeOf(await order())).notice_code}),
  createPaymentNotice: async () => noticeOf(await order()),
  getRefund: async () => vezne.refunds.get({id: (await refund()).id}),
  listRefunds: async () => vezne.refunds.list({order: (await refund()).order}),
  createRefund: () => refund(),
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
  getSubscription: async () => vezne.subscriptions.get(await subscription()),
  cancelSubscription: async () => vezne.subscriptions.cancel(await subscription()),
  searchSubscriptions: () => vezne.subscriptions.search({service, limit: 1}),
  resetTestNumber: async () => {
    const msisdn = newNumber('555');
    await control('subscriptions', {msisdn});
    return vezne.testNumbers.reset({service, msisdn});
  },
  getCharge: async () => vezne.charges.get(await charge()),
  refundCharge: async () => vezne.charges.refund(await charge()),
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
  generatePin: () => vezne.landing.generatePin({...from, msisdn: newNumber()}),
  requestSubscription: async () => {
    const msisdn = newNumber();
    return vezne.landing.requestSubscription({...from, msisdn, pin: await pin(msisdn)});
  },
  cancelLandingSubscription: async () => vezne.landing.cancelSubscription({subscription: (await subscription()).id}),
  getNumber: async () => vezne.landing.getNumber({number_token: await numberToken()}),
  addActivity: () => vezne.landing.addActivity({type: 'subscribe_clicked', product: 77, tracking_id: 't-1'}),
  listEvents: () => vezne.events.list(),
  listDeadEvents: () => vezne.events.listDead(),
  resendEvent: async () => {
    await noticeOf(await order());
    const {items} = await vezne.events.list();
    return vezne.events.resend({id: items[0]?.id ?? ''});
  },
  showQuotas: () => vezne.quotas.show(),
  listCommands: () => vezne.commands.list(),
  examine: () => vezne.doctor.examine(),
};

beforeAll(() => control('limits', {limits: null}));

test.for(Object.entries(calls))('%s is a method, and answers what the contract says', async ([name, call]) => {
  const {method, path, answer}: Endpoint = endpoints[name as EndpointName];
  answer.parse(await call());
  expect(asked.at(-1)).toMatch(new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`));
});
