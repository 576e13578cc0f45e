import type * as bindings from '../../worker/env.ts';
import type * as worker from '../../worker/index.ts';

declare global {
  namespace Cloudflare {
    interface Env extends bindings.Env {}
    interface GlobalProps {
      mainModule: typeof worker;
      durableNamespaces:
        | 'Activities'
        | 'Token'
        | 'Banks'
        | 'Sweep'
        | 'Order'
        | 'Guard'
        | 'Subscriber'
        | 'Ledger'
        | 'Details'
        | 'Outbox'
        | 'Refunds'
        | 'News'
        | 'Charges';
    }
  }
}
