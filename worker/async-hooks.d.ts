/**
 * The part of Node’s module that the flag `nodejs_als` of `wrangler.toml` adds to the runtime. The Worker’s types are
 * those of the runtime, without Node’s, so this module is declared here.
 */
declare module 'node:async_hooks' {
  export class AsyncLocalStorage<T> {
    run<R>(store: T, task: () => R): R;
    getStore(): T | undefined;
  }
}
