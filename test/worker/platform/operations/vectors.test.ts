/**
 * Compares the requests of all 30 operations byte for byte. The expected requests are written by hand from `orders.md`,
 * `subscriptions.md` and `observed.md` in `docs/spec/`, and not from `worker/`, so that a wrong row of the operation
 * table fails here. The replies here are as short as possible. `replies/` beside this file has realistic replies, with
 * the answers that the merchant API must give.
 */

import {expect, test} from 'vitest';
import {type OperationInput, type OperationName, operations} from '../../../../worker/platform/operations/index.ts';
import {clientWithTransport, type SentRequest} from '../../support/stub-transport.ts';

const FORM = {'content-type': 'application/x-www-form-urlencoded;charset=UTF-8'};
const SIGNED = {...FORM, merchant: '2042', token: '{7A1C0D52-93E4-4B07-A6F1-2C5D8E90B314}'};
const CREDENTIAL = {'x-credential': 'c-1'};
const JSON_BODY = {'content-type': 'application/json'};
const BASE = 'https://platform.example';

const phs = (path: string, body: string, headers: Record<string, string> = SIGNED): SentRequest => ({
  method: 'POST',
  url: `${BASE}/phs${path}`,
  headers,
  body,
  redirect: 'manual',
});
const landing = (path: string, body: string): SentRequest => ({
  method: 'POST',
  url: `${BASE}/landing${path}`,
  headers: FORM,
  body: `authorization=AUTH-1&merchant=2042&${body}`,
  redirect: 'manual',
});
const billingGet = (path: string): SentRequest => ({
  method: 'GET',
  url: `${BASE}/micropayment${path}`,
  headers: CREDENTIAL,
  body: '',
  redirect: 'manual',
});
const billingPost = (path: string, body: string): SentRequest => ({
  method: 'POST',
  url: `${BASE}/micropayment${path}`,
  headers: {...CREDENTIAL, ...JSON_BODY},
  body,
  redirect: 'manual',
});
const paymentPage = (body: string): SentRequest => ({
  method: 'POST',
  url: `${BASE}/pay/token`,
  headers: JSON_BODY,
  body,
  redirect: 'manual',
});

/** A successful reply of `/phs` or the landing interface. */
const statusReply = (fields: object = {}) => JSON.stringify({status: '000', message: 'Success', ...fields});
/** A successful reply of mobile billing or the payment page. */
const responseReply = (fields: object = {}) =>
  JSON.stringify({
    response: {result: 'SUCCESS', resultCode: '0000', resultDescription: '', resultDetail: null},
    ...fields,
  });
const meta = {totalCount: 0, limit: 10, page: 1, pageCount: 0};
const refund = {id: 9, status: 1, amount: '1.00'};

interface Vector<N extends OperationName = OperationName> {
  readonly name: N;
  /** The text that follows the operation's name in the test's title; empty if the operation has only one vector. */
  readonly variant: string;
  readonly input: OperationInput<N>;
  readonly reply: string;
  readonly sent: SentRequest;
}

const vector = <N extends OperationName>(
  name: N,
  variant: string,
  input: OperationInput<N>,
  reply: string,
  sent: SentRequest,
): Vector => ({name, variant, input, reply, sent}) as Vector;

const VECTORS: readonly Vector[] = [
  vector(
    'tokenGet',
    '',
    {merchant: '2042', key: 'ab15c00e40d43db6e1cc40da2bb38c51'},
    statusReply({token: '{T}'}),
    phs('/getToken', 'merchant=2042&key=ab15c00e40d43db6e1cc40da2bb38c51', FORM),
  ),
  vector(
    'tokenCheck',
    '',
    {merchant: '2042', token: '{T}'},
    statusReply(),
    phs('/getToken/check', 'merchant=2042&token=%7BT%7D', FORM),
  ),
  vector(
    'orderCodeCheck',
    '',
    {code: 'KTP', order: 'S-1009'},
    statusReply({order: '8'}),
    phs('/orderToReference/check', 'code=KTP&order=S-1009'),
  ),
  vector(
    'orderCodeCreate',
    'for a marketplace',
    {
      code: 'KTP',
      order: 'S-1009',
      amount: '149.90',
      payout: '140.00',
      sub_merchant_id: '31',
      fee: '9.90',
      user_id: 'u-31',
    },
    statusReply({order: '8'}),
    phs(
      '/orderToReference/create',
      'code=KTP&order=S-1009&amount=149.90&payout=140.00&sub_merchant_id=31&fee=9.90&user_id=u-31',
    ),
  ),
  vector(
    'orderCodeCreate',
    'with Turkish letters and special characters',
    {code: 'KTP', order: 'Ş/İ&9=+%', amount: '1'},
    statusReply({order: 'AB12'}),
    phs('/orderToReference/create', 'code=KTP&order=%C5%9E%2F%C4%B0%269%3D%2B%25&amount=1'),
  ),
  vector(
    'orderCodeDirect',
    'with a notice',
    {
      code: 'KTP',
      order: 'S-1009',
      amount: '149.90',
      PaymentNotification: {
        tc_no: '10000000146',
        name: 'Işıl Öğüt',
        email: 'a@b.example',
        phone: '5321234567',
        user_ip: '192.0.2.7',
        apply_time: '2026-11-21 15:42:00',
        description: 'a b&c',
      },
    },
    statusReply({code: '8'}),
    phs(
      '/orderToReference/direct',
      'code=KTP&order=S-1009&amount=149.90&PaymentNotification%5Btc_no%5D=10000000146&PaymentNotification%5Bname%5D=I%C5%9F%C4%B1l+%C3%96%C4%9F%C3%BCt' +
        '&PaymentNotification%5Bemail%5D=a%40b.example&PaymentNotification%5Bphone%5D=5321234567&PaymentNotification%5Buser_ip%5D=192.0.2.7' +
        '&PaymentNotification%5Bapply_time%5D=2026-11-21+15%3A42%3A00&PaymentNotification%5Bdescription%5D=a+b%26c',
    ),
  ),
  vector(
    'orderCodeUpdate',
    'for a marketplace',
    {code: 'KTP', order: 'S-1009', amount: '129.90', payout: '120.00', sub_merchant_id: '31', fee: '9.90'},
    statusReply({order: '8'}),
    phs('/orderToReference/update', 'code=KTP&order=S-1009&amount=129.90&payout=120.00&sub_merchant_id=31&fee=9.90'),
  ),
  vector(
    'transactionGet',
    'for an id larger than 2^53',
    {id: '98765432109876543210'},
    statusReply({transaction: {id: '98765432109876543210', amount: '1.00'}}),
    phs('/transaction/get', 'id=98765432109876543210'),
  ),
  vector(
    'transactionSearch',
    'with every filter',
    {
      code: 'KTP',
      start: 100,
      length: 50,
      Transaction: {
        startDate: '2026-11-20',
        endDate: '2026-11-22',
        status: [3, 5],
        bank_id: '6',
        amount: {con_operator: '>=', value: '100.00'},
        transaction_date: {con_operator: '<', value: '2026-11-21 13:42:00'},
      },
    },
    statusReply({recordsTotal: '0', recordsFiltered: 0, data: []}),
    phs(
      '/transaction/search',
      'code=KTP&start=100&length=50&Transaction%5BstartDate%5D=2026-11-20&Transaction%5BendDate%5D=2026-11-22&Transaction%5Bstatus%5D%5B%5D=3&Transaction%5Bstatus%5D%5B%5D=5' +
        '&Transaction%5Bbank_id%5D=6&Transaction%5Bamount%5D%5Bcon_operator%5D=%3E%3D&Transaction%5Bamount%5D%5Bvalue%5D=100.00' +
        '&Transaction%5Btransaction_date%5D%5Bcon_operator%5D=%3C&Transaction%5Btransaction_date%5D%5Bvalue%5D=2026-11-21+13%3A42%3A00',
    ),
  ),
  vector(
    'transactionSearch',
    'with single values and a list of amounts',
    {code: 'KTP', Transaction: {status: 3, amount: ['149.90', '12.00']}},
    statusReply({recordsFiltered: 0, data: []}),
    phs(
      '/transaction/search',
      'code=KTP&Transaction%5Bstatus%5D=3&Transaction%5Bamount%5D%5B%5D=149.90&Transaction%5Bamount%5D%5B%5D=12.00',
    ),
  ),
  vector(
    'orderComplete',
    '',
    {code: 'KTP', order: 'S-1009'},
    statusReply(),
    phs('/transaction/order-complete', 'code=KTP&order=S-1009'),
  ),
  vector(
    'paymentNotificationGet',
    '',
    {id: '501'},
    statusReply({paymentNotification: {id: 501, status: 0}}),
    phs('/paymentNotification/get', 'id=501'),
  ),
  vector(
    'paymentNotificationCreate',
    '',
    {code: 'KTP', amount: '149.90', bank: 'ornekbank', order: 'S-1009', PaymentNotification: {name: 'Deniz'}},
    statusReply({code: 'N7'}),
    phs(
      '/paymentNotification/create',
      'code=KTP&amount=149.90&bank=ornekbank&order=S-1009&PaymentNotification%5Bname%5D=Deniz',
    ),
  ),
  vector('refundGet', '', {id: '9'}, statusReply({data: refund}), phs('/refund/get', 'id=9')),
  vector(
    'refundGetByOrder',
    '',
    {order: 'S-1009'},
    statusReply({data: [refund]}),
    phs('/refund/getByOrder', 'order=S-1009'),
  ),
  vector(
    'refundCreate',
    '',
    {code: 'KTP', amount: '0.50', order: 'S-1009', contact: {name: 'Deniz Örnek', iban: 'TR33 0006 1005'}},
    statusReply({refund_id: 9}),
    phs(
      '/refund/create',
      'code=KTP&amount=0.50&order=S-1009&contact%5Bname%5D=Deniz+%C3%96rnek&contact%5Biban%5D=TR33+0006+1005',
    ),
  ),
  vector(
    'refundCreate',
    'of a marketplace, with agreed parameters',
    {
      code: 'KTP',
      amount: '0.50',
      order: 'S-1009',
      contact: {name: 'Deniz', iban: 'DE89370400440532013000'},
      extra: {sub_merchant_id: '31', payout: '0.45', fee: '0.05'},
    },
    statusReply({refund_id: 9}),
    phs(
      '/refund/create',
      'sub_merchant_id=31&payout=0.45&fee=0.05&code=KTP&amount=0.50&order=S-1009&contact%5Bname%5D=Deniz&contact%5Biban%5D=DE89370400440532013000',
    ),
  ),
  vector(
    'vendorForm',
    'with both spellings of the return URLs',
    {
      code: 'KTP',
      vendor_code: 'V-7',
      name: 'Örnek',
      tc_no: '10000000146',
      phone: '5321234567',
      email: 'a@b.example',
      iban: 'TR33',
      success_url: 'https://shop.example/ok',
      failure_url: 'https://shop.example/no',
      successUrl: 'https://shop.example/ok',
      failureUrl: 'https://shop.example/no',
    },
    statusReply({redirectUrl: 'https://pay.example/v/1'}),
    phs(
      '/marketPlace/get-vendor-form-url',
      'code=KTP&vendor_code=V-7&name=%C3%96rnek&tc_no=10000000146&phone=5321234567&email=a%40b.example&iban=TR33&success_url=https%3A%2F%2Fshop.example%2Fok' +
        '&failure_url=https%3A%2F%2Fshop.example%2Fno&successUrl=https%3A%2F%2Fshop.example%2Fok&failureUrl=https%3A%2F%2Fshop.example%2Fno',
    ),
  ),
  vector('bankGetAll', 'without merchant and token', {}, statusReply({banks: []}), {
    method: 'GET',
    url: `${BASE}/phs/bank/getAll`,
    headers: {},
    body: '',
    redirect: 'manual',
  }),
  vector(
    'subscriptionGet',
    '',
    {serviceId: '31', subscriptionId: '4001'},
    responseReply({subscription: {id: 4001}}),
    billingGet('/subscription/detail/2042/31/4001'),
  ),
  vector(
    'subscriptionCancel',
    '',
    {serviceId: '31', subscriptionId: '4001'},
    responseReply(),
    billingGet('/subscription/cancel/2042/31/4001'),
  ),
  vector(
    'subscriptionSearch',
    '',
    {
      serviceId: '31',
      search: [{column: 'modifiedDate', term: '2026-11-01', condition: '>='}],
      sort: [{column: 'id', asc: false}],
      limit: 100,
      page: 2,
    },
    responseReply({meta, subscriptions: []}),
    billingPost(
      '/subscriptions/search',
      '{"merchantId":2042,"serviceId":31,"search":[{"column":"modifiedDate","term":"2026-11-01","condition":">="}],"sort":[{"column":"id","asc":false}],"limit":100,"page":2}',
    ),
  ),
  vector(
    'testNumberReset',
    '',
    {serviceId: '31', msisdn: '5321234567'},
    responseReply(),
    billingGet('/subscription/cancel/2042/31/5321234567'),
  ),
  vector(
    'chargeGet',
    '',
    {serviceId: '31', transactionId: '98765432109876543210'},
    responseReply({transaction: {id: '98765432109876543210'}}),
    billingGet('/transaction/detail/2042/31/98765432109876543210'),
  ),
  vector(
    'chargeRefund',
    '',
    {serviceId: '31', transactionId: '7'},
    responseReply({subscription: {id: 7}}),
    billingGet('/transaction/refund/2042/31/7'),
  ),
  vector(
    'chargeSearch',
    'for a service id larger than 2^53',
    {serviceId: '98765432109876543210', search: [], sort: []},
    responseReply({meta, transactions: []}),
    billingPost('/transactions/search', '{"merchantId":2042,"serviceId":98765432109876543210,"search":[],"sort":[]}'),
  ),
  vector(
    'messageSearch',
    '',
    {serviceId: '31', search: [{column: 'msisdn', term: '5321234567'}], sort: [], limit: 10, page: 1},
    responseReply({meta, messages: []}),
    billingPost(
      '/messages/search',
      '{"merchantId":2042,"serviceId":31,"search":[{"column":"msisdn","term":"5321234567"}],"sort":[],"limit":10,"page":1}',
    ),
  ),
  ...(
    [
      ['30', '459da46056dbd1cd2a088502f2d53010'],
      ['10.00', '6570eed511a8dfb71072af2863039d37'],
    ] as const
  ).map(([price, key]) =>
    vector(
      'paymentPageToken',
      `for the price ${price}`,
      {
        serviceId: '31',
        referenceCode: 'REF-7',
        item: 'Aylık üyelik',
        price,
        successUrl: 'https://shop.example/ok',
        failureUrl: 'https://shop.example/fail',
      },
      responseReply({tokenData: {token: 't', redirectUrl: 'https://pay.example/t', expiryDate: null}}),
      paymentPage(
        `{"merchantId":2042,"serviceId":31,"referenceCode":"REF-7","item":"Aylık üyelik","price":${price},"successUrl":"https://shop.example/ok","failureUrl":"https://shop.example/fail","key":"${key}"}`,
      ),
    ),
  ),
  vector(
    'paymentPageToken',
    'with a trial, which the key does not cover,',
    {
      serviceId: '31',
      referenceCode: 'REF-7',
      item: 'Aylık üyelik',
      price: '30',
      successUrl: 'https://shop.example/ok',
      failureUrl: 'https://shop.example/fail',
      hasTrialPeriod: true,
      trialPeriodDay: 7,
    },
    responseReply({tokenData: {token: 't', redirectUrl: 'https://pay.example/t', expiryDate: null}}),
    paymentPage(
      '{"merchantId":2042,"serviceId":31,"referenceCode":"REF-7","item":"Aylık üyelik","price":30,"successUrl":"https://shop.example/ok","failureUrl":"https://shop.example/fail","hasTrialPeriod":true,"trialPeriodDay":7,"key":"459da46056dbd1cd2a088502f2d53010"}',
    ),
  ),
  vector(
    'generatePin',
    '',
    {product: 77, operator: 1, msisdn: '5321234567', userip: '192.0.2.7', tracking_id: 't-1'},
    statusReply(),
    landing('/generate-pin', 'product=77&operator=1&msisdn=5321234567&userip=192.0.2.7&tracking_id=t-1'),
  ),
  vector(
    'subscriptionRequest',
    'with a PIN',
    {product: 77, userip: '192.0.2.7', tracking_id: 't-1', operator: 4, msisdn: '5321234567', pin: '0482'},
    statusReply(),
    landing(
      '/subscription-request',
      'product=77&userip=192.0.2.7&tracking_id=t-1&operator=4&msisdn=5321234567&pin=0482',
    ),
  ),
  vector(
    'subscriptionRequest',
    'with a number token',
    {product: 77, userip: '192.0.2.7', tracking_id: 't-1', token: '4417'},
    statusReply(),
    landing('/subscription-request', 'product=77&userip=192.0.2.7&tracking_id=t-1&token=4417'),
  ),
  vector(
    'subscriptionRequest',
    'with all parameters, and text as the number token,',
    {
      product: 77,
      userip: '192.0.2.7',
      tracking_id: 't-1',
      token: '9f+3/a=',
      operator: 4,
      msisdn: '5321234567',
      pin: '0482',
    },
    statusReply(),
    landing(
      '/subscription-request',
      'product=77&userip=192.0.2.7&tracking_id=t-1&operator=4&msisdn=5321234567&pin=0482&token=9f%2B3%2Fa%3D',
    ),
  ),
  vector(
    'landingSubscriptionCancel',
    '',
    {subscription: '4001'},
    statusReply(),
    landing('/cancel-subscription', 'subscription=4001'),
  ),
  vector(
    'numberGet',
    '',
    {token: 'A-4417'},
    statusReply({msisdn: '5321234567', operator: 1}),
    landing('/get-msisdn', 'token=A-4417'),
  ),
  vector(
    'userActivity',
    'for a visit',
    {
      type: 'visit',
      product: 77,
      tracking_id: 't-1',
      url: 'https://shop.example/?a=1',
      userip: '192.0.2.7',
      browser: 'B/1',
      referer: '-',
    },
    statusReply(),
    landing(
      '/user-activity',
      'type=visit&product=77&tracking_id=t-1&url=https%3A%2F%2Fshop.example%2F%3Fa%3D1&userip=192.0.2.7&browser=B%2F1&referer=-',
    ),
  ),
  vector(
    'userActivity',
    'for a click',
    {type: 'confirm_clicked', product: 77, tracking_id: 't-1'},
    statusReply(),
    landing('/user-activity', 'type=confirm_clicked&product=77&tracking_id=t-1'),
  ),
];

test('each of the 30 operations has a vector', () => {
  const names = new Set(VECTORS.map(({name}) => name));
  expect(names.size).toBe(30);
  expect([...names].sort()).toEqual(Object.keys(operations).sort());
});

test.for(VECTORS.map((row) => [`${row.name} ${row.variant}`.trim(), row] as const))(
  '%s sends the expected bytes',
  async ([, {name, input, reply, sent: expected}]) => {
    const {client, sent} = clientWithTransport(() => reply);
    await client.call(name, input);
    expect(sent).toEqual([expected]);
  },
);
