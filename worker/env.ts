import type {Activities} from './objects/activities.ts';
import type {Banks} from './objects/banks.ts';
import type {Charges} from './objects/charges.ts';
import type {Commands} from './objects/commands.ts';
import type {Details} from './objects/details.ts';
import type {Guard} from './objects/guard.ts';
import type {Ledger} from './objects/ledger.ts';
import type {News} from './objects/news.ts';
import type {Order} from './objects/order.ts';
import type {Outbox} from './objects/outbox.ts';
import type {Quota} from './objects/quota.ts';
import type {Refunds} from './objects/refunds.ts';
import type {Subscriber} from './objects/subscriber.ts';
import type {Sweep} from './objects/sweep.ts';
import type {Token} from './objects/token.ts';

/**
 * The bindings of `wrangler.toml`. Variables and secrets are not typed here: `config.ts` reads them once,
 * and nothing else reads them at all.
 */
export interface Env {
  readonly TOKEN: DurableObjectNamespace<Token>;
  readonly ACTIVITIES: DurableObjectNamespace<Activities>;
  readonly BANKS: DurableObjectNamespace<Banks>;
  readonly SWEEP: DurableObjectNamespace<Sweep>;
  readonly ORDER: DurableObjectNamespace<Order>;
  readonly GUARD: DurableObjectNamespace<Guard>;
  readonly SUBSCRIBER: DurableObjectNamespace<Subscriber>;
  readonly LEDGER: DurableObjectNamespace<Ledger>;
  readonly COMMANDS: DurableObjectNamespace<Commands>;
  readonly DETAILS: DurableObjectNamespace<Details>;
  readonly OUTBOX: DurableObjectNamespace<Outbox>;
  readonly QUOTA: DurableObjectNamespace<Quota>;
  readonly REFUNDS: DurableObjectNamespace<Refunds>;
  readonly NEWS: DurableObjectNamespace<News>;
  readonly CHARGES: DurableObjectNamespace<Charges>;
  /** First wall against a flood from one address; it costs no object. */
  readonly ADDRESS_RATE: RateLimit;
}
