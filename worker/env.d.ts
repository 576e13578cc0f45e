/**
 * The bindings of `wrangler.toml`, declared globally as `wrangler types` does. A file that uses `Env` needs no import,
 * so `Env` causes no import cycles. Variables and secrets have no types here: only `config.ts` reads them.
 */
declare namespace Cloudflare {
  interface GlobalProps {
    mainModule: typeof import('./index.ts');
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
      | 'Sender'
      | 'Commands'
      | 'Quota'
      | 'Refunds'
      | 'BillingChanges'
      | 'Charges'
      | 'OrderHistory'
      | 'Consents'
      | 'Metrics'
      | 'ApiKeys';
  }
  interface Env {
    readonly TOKEN: DurableObjectNamespace<import('./index.ts').Token>;
    readonly ACTIVITIES: DurableObjectNamespace<import('./index.ts').Activities>;
    readonly BANKS: DurableObjectNamespace<import('./index.ts').Banks>;
    readonly SWEEP: DurableObjectNamespace<import('./index.ts').Sweep>;
    readonly ORDER: DurableObjectNamespace<import('./index.ts').Order>;
    readonly GUARD: DurableObjectNamespace<import('./index.ts').Guard>;
    readonly SUBSCRIBER: DurableObjectNamespace<import('./index.ts').Subscriber>;
    readonly LEDGER: DurableObjectNamespace<import('./index.ts').Ledger>;
    readonly COMMANDS: DurableObjectNamespace<import('./index.ts').Commands>;
    readonly DETAILS: DurableObjectNamespace<import('./index.ts').Details>;
    readonly OUTBOX: DurableObjectNamespace<import('./index.ts').Outbox>;
    readonly SENDER: DurableObjectNamespace<import('./index.ts').Sender>;
    readonly QUOTA: DurableObjectNamespace<import('./index.ts').Quota>;
    readonly REFUNDS: DurableObjectNamespace<import('./index.ts').Refunds>;
    readonly BILLING_CHANGES: DurableObjectNamespace<import('./index.ts').BillingChanges>;
    readonly API_KEYS: DurableObjectNamespace<import('./index.ts').ApiKeys>;
    readonly CHARGES: DurableObjectNamespace<import('./index.ts').Charges>;
    readonly ORDER_HISTORY: DurableObjectNamespace<import('./index.ts').OrderHistory>;
    readonly CONSENTS: DurableObjectNamespace<import('./index.ts').Consents>;
    readonly METRICS: DurableObjectNamespace<import('./index.ts').Metrics>;
    /** The files of `[assets]`. A deployment with an older `wrangler.toml` does not have it. */
    readonly ASSETS?: Fetcher;
    /** First defense against a flood of requests from one address. Counting here wakes no Durable Object. */
    readonly ADDRESS_RATE: RateLimit;
    /**
     * Like `ADDRESS_RATE`, but for requests that carry a session. A deployment with an older `wrangler.toml` does not
     * have this binding.
     */
    readonly READ_RATE?: RateLimit;
  }
}
interface Env extends Cloudflare.Env {}
