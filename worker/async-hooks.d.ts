/**
 * Declares the part of Node’s module that the flag `nodejs_als` of `wrangler.toml` adds to the runtime. The types of
 * the Worker are those of the runtime, which do not contain Node’s modules.
 */
declare module 'node:async_hooks' {
  export class AsyncLocalStorage<T> {
    run<R>(store: T, task: () => R): R;
    getStore(): T | undefined;
  }
}
