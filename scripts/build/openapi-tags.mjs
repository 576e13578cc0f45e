// @ts-check
// The groups of endpoints in the API description, each with a sentence.

/** @type {Record<string, string>} */
export const TAGS = {
  Sessions: 'Tokens with which the merchant’s server says what a page may do.',
  'Order codes': 'Codes that shoppers write in the description of a transfer.',
  Transactions: 'Transfers that arrived.',
  'Payment notices': 'Shoppers’ reports of transfers without an order code.',
  Refunds: 'Money sent back to shoppers.',
  Vendors: 'Sellers on a marketplace.',
  Banks: 'Bank accounts that shoppers pay into.',
  Subscriptions: 'Mobile billing: subscriptions of mobile numbers.',
  Charges: 'Mobile billing: charges to a phone bill.',
  Messages: 'Mobile billing: messages sent to subscribers.',
  'Payment page': 'The platform’s payment page.',
  Landing: 'The steps of a landing page, for merchants who build their own landing pages.',
  Events: 'Events, which the merchant’s server can list and the Worker sends to a webhook.',
  'API keys': 'Keys with scopes, one for each of the merchant’s servers.',
  Operation: 'The state of the Worker and its configuration.',
  Pages: 'Requests of the elements.',
};
