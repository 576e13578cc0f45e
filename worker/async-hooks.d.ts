/**
 * Declares the part of Node’s module `async_hooks` that the flag `nodejs_als` of `wrangler.toml` adds to the runtime.
 * The types of the runtime, with which the Worker is compiled, do not contain Node’s modules.
 */
declare module 'node:async_hooks' {
  export class AsyncLocalStorage<T> {
    run<R>(store: T, task: () => R): R;
    getStore(): T | undefined;
  }
}
