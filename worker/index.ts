/** The Worker: everything that holds a secret, and the only thing that talks to the platform. */

import {handle} from './router.ts';

export {Activities} from './objects/activities.ts';
export {Banks} from './objects/banks.ts';
export {Charges} from './objects/charges.ts';
export {Commands} from './objects/commands.ts';
export {Details} from './objects/details.ts';
export {Guard} from './objects/guard.ts';
export {Ledger} from './objects/ledger.ts';
export {News} from './objects/news.ts';
export {Order} from './objects/order.ts';
export {Outbox} from './objects/outbox.ts';
export {Quota} from './objects/quota.ts';
export {Refunds} from './objects/refunds.ts';
export {Subscriber} from './objects/subscriber.ts';
export {Sweep} from './objects/sweep.ts';
export {Token} from './objects/token.ts';

export default {fetch: handle} satisfies ExportedHandler<Env>;
