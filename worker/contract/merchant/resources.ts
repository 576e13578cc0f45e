/** The resources of the client, `vezne/merchant`. Each method of a resource is an endpoint, which `docs.client` names. */

/** Each resource with its group in the API's description and with the comment of its class. */
export const RESOURCES = {
  sessions: {group: 'Sessions', about: 'Sessions: your server decides what a page may do.'},
  offers: {group: 'Offers', about: 'Offers: what pages sell, and the links and QR codes of payments and bills.'},
  orderCodes: {
    group: 'Order codes',
    about: 'Order codes, which shoppers write into the description of a transfer. Amounts are decimal text in lira.',
  },
  orders: {group: 'Orders', about: 'Orders whose payment the Worker reads.'},
  transactions: {group: 'Transactions', about: 'Transactions: money that arrived.'},
  paymentNotices: {
    group: 'Payment notices',
    about: 'Payment notices, with which shoppers report transfers whose description had no order code.',
  },
  refunds: {group: 'Refunds', about: 'Refunds of orders.'},
  refundLinks: {group: 'Refunds', about: 'Refund links: the shopper enters where the money goes.'},
  vendorForms: {group: 'Vendors', about: 'Registers the vendors of a marketplace.'},
  banks: {group: 'Banks', about: 'The bank accounts that shoppers pay into.'},
  subscriptions: {
    group: 'Subscriptions',
    about: 'Mobile billing: subscriptions. `service` is a service’s code or its numeric id.',
  },
  testNumbers: {group: 'Subscriptions', about: 'Mobile billing: numbers for testing subscriptions.'},
  charges: {
    group: 'Charges',
    about: 'Mobile billing: charges to phone bills. `service` is a service’s code or its numeric id.',
  },
  messages: {group: 'Messages', about: 'Mobile billing: messages sent to subscribers.'},
  paymentPages: {group: 'Payment page', about: 'Mobile billing: the platform’s payment page.'},
  landing: {
    group: 'Landing',
    about:
      'The subscription flow of landing pages, for merchants who build their own landing pages. `user_ip` is the ' +
      'shopper’s IP address, not your server’s.',
  },
  events: {
    group: 'Events',
    about: 'Reads events. For events that the Worker sends to your server, use `verifyWebhook`.',
  },
  webhooks: {
    group: 'Webhooks',
    about: 'Webhooks: the servers to which the Worker sends events. To verify a received event, use `verifyWebhook`.',
  },
  quotas: {group: 'Operation', about: 'The limits of the platform.'},
  commands: {
    group: 'Operation',
    about: 'Commands: writes that move money or end something, and their outcomes.',
  },
  keys: {
    group: 'API keys',
    about: 'API keys with scopes. Only a client with the root key, `MERCHANT_API_KEY`, may call these methods.',
  },
  books: {
    group: 'Books',
    about: 'The day’s books: what happened to orders, money and refunds on each day.',
  },
  doctor: {group: 'Operation', about: 'Checks the set-up of the Worker.'},
} as const;
export type ResourceName = keyof typeof RESOURCES;
