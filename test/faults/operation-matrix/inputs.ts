/** A valid input for every operation. */

import type {OperationInput, OperationName} from '../../../worker/platform/operations/index.ts';

const order = {code: 'DEMO', order: 'S-1009'};
const search = {serviceId: 1, search: [], sort: []};

export const INPUTS: {readonly [N in OperationName]: OperationInput<N>} = {
  tokenGet: {merchant: '123', key: 'ab15c00e40d43db6e1cc40da2bb38c51'},
  tokenCheck: {merchant: '123', token: '{7A1C0D52-93E4-4B07-A6F1-2C5D8E90B314}'},
  orderCodeCheck: order,
  orderCodeCreate: {...order, amount: '149.90'},
  orderCodeDirect: {...order, amount: '149.90'},
  orderCodeUpdate: {...order, amount: '149.90'},
  vendorForm: {
    code: 'DEMO',
    vendor_code: 'V-7',
    name: 'Çınar Oyuncak',
    phone: '5320000000',
    iban: 'TR330006100519786457841326',
    success_url: 'https://shop.example/a',
    failure_url: 'https://shop.example/b',
    successUrl: 'https://shop.example/a',
    failureUrl: 'https://shop.example/b',
  },
  bankGetAll: {},
  transactionGet: {id: 7},
  transactionSearch: {code: 'DEMO'},
  orderComplete: order,
  paymentNotificationGet: {id: 7},
  paymentNotificationCreate: {...order, amount: '149.90', bank: 'garanti'},
  refundGet: {id: 7},
  refundGetByOrder: {order: 'S-1009'},
  refundCreate: {...order, amount: '149.90', contact: {name: 'Deniz Örnek', iban: 'TR330006100519786457841326'}},
  subscriptionGet: {serviceId: 1, subscriptionId: 7},
  subscriptionCancel: {serviceId: 1, subscriptionId: 7},
  subscriptionSearch: search,
  testNumberReset: {serviceId: 1, msisdn: '5320000000'},
  chargeGet: {serviceId: 1, transactionId: 7},
  chargeRefund: {serviceId: 1, transactionId: 7},
  chargeSearch: search,
  messageSearch: search,
  paymentPageToken: {
    serviceId: 1,
    referenceCode: 'S-1009',
    item: 'Lamba',
    price: '149.90',
    successUrl: 'https://shop.example/a',
    failureUrl: 'https://shop.example/b',
  },
  generatePin: {product: 77, operator: 1, msisdn: '5320000000', userip: '192.0.2.1', tracking_id: 'T-1'},
  subscriptionRequest: {
    product: 77,
    operator: 1,
    msisdn: '5320000000',
    pin: '1234',
    userip: '192.0.2.1',
    tracking_id: 'T-1',
  },
  landingSubscriptionCancel: {subscription: 7},
  numberGet: {token: '12345'},
  userActivity: {type: 'subscribe_clicked', product: 77, tracking_id: 'T-1'},
};
