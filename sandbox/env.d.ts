import type {EnvironmentVariables} from './config.ts';
import type * as sandbox from './index.ts';

/** The types of `env` and `exports`, declared globally as `wrangler types` does. */
declare global {
  namespace Cloudflare {
    interface GlobalProps {
      mainModule: typeof sandbox;
      durableNamespaces: Exclude<keyof typeof sandbox, 'default'>;
    }
    interface Env extends EnvironmentVariables {}
  }
}
