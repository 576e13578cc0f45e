import type * as sandbox from '../../sandbox/index.ts';

declare global {
  namespace Cloudflare {
    interface Env extends sandbox.Env {}
    interface GlobalProps {
      mainModule: typeof sandbox;
      durableNamespaces: 'Platform';
    }
  }
}
