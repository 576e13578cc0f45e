/** The Worker's entry point. Only the Worker has the secrets, and only the Worker calls the platform. */

export {Activities} from './objects/activities.ts';
export {ApiKeys} from './objects/keys/api-keys.ts';
export {Archive} from './objects/archive/archive.ts';
export {Commands} from './objects/commands/commands.ts';
export {Guard} from './objects/limits/guard.ts';
export {Offers} from './objects/offers.ts';
export {Order} from './objects/order/order.ts';
export {Outbox} from './objects/events/outbox.ts';
export {Platform} from './objects/platform/platform.ts';
export {Record} from './objects/record/record.ts';
export {Refunds} from './objects/refunds/refunds.ts';
export {Sender} from './objects/events/sender.ts';
export {Subscriber} from './objects/subscriber/subscriber.ts';
export {Service} from './objects/service/service.ts';
// After the classes: the bundle then has the objects' modules together, and compresses better.
import {handle} from './router.ts';

export default {fetch: handle} satisfies ExportedHandler<Env>;
