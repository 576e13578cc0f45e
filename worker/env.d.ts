/**
 * The bindings of `wrangler.toml` and the classes that `index.ts` exports, declared globally as `wrangler types` does. A
 * file that uses `Env` or `exports` needs no import of these types, so they cause no import cycles. Variables and
 * secrets have no types here: only `config.ts` reads them.
 */
declare namespace Cloudflare {
  interface GlobalProps {
    mainModule: typeof import('./index.ts');
    durableNamespaces: Exclude<keyof typeof import('./index.ts'), 'default'>;
  }
  interface Env {
    /** The files of `[assets]`. */
    readonly ASSETS: Fetcher;
    /** First defense against a flood of requests from one address. Counting here wakes no Durable Object. */
    readonly ADDRESS_RATE: RateLimit;
    /** Like `ADDRESS_RATE`, but for requests that carry a session. */
    readonly READ_RATE: RateLimit;
  }
}
interface Env extends Cloudflare.Env {}
