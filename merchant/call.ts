import type {Answers, EndpointName, Inputs} from './contract.ts';
import {VezneError} from './errors.ts';
import {exchange} from './exchange.ts';
import {readAnswer} from './http.ts';
import type {CallOptions, VezneOptions, WriteOptions} from './options.ts';
import {readIdempotencyKey, readOptions, readTimeout} from './read-options.ts';
import {buildRequest} from './request.ts';
import {isRunning, mayRetry, pauseMs} from './retry.ts';
import {routes} from './routes.ts';

/** Calls one endpoint of the merchant API. @throws {VezneError}, {TypeError}, or the reason of the call's signal. */
export type Call = <N extends EndpointName>(name: N, input: Inputs[N], options?: WriteOptions) => Promise<Answers[N]>;

/**
 * Makes the one function that all methods call. The key is in it and nowhere else, so that no inspection of a client
 * shows it.
 * @throws {TypeError} where an option is wrong.
 */
export function createCall(options: VezneOptions): Call {
  const {address, fetch, timeoutMs, retries} = readOptions(options);

  return async <N extends EndpointName>(name: N, input: Inputs[N], own: WriteOptions = {}): Promise<Answers[N]> => {
    const {signal} = own;
    const route = routes[name];
    const idempotencyKey = route.write ? readIdempotencyKey(own) : undefined;
    const request = buildRequest(address, route, input, idempotencyKey);
    const end = performance.now() + readTimeout(own, timeoutMs);
    for (let failures = 0; ;) {
      const leftMs = end - performance.now();
      try {
        // Half of what is left, while there is another try: a connection that went dead must not cost all of it.
        const reply = await exchange(fetch, request, {
          signal,
          timeoutMs: failures < retries ? leftMs / 2 : leftMs,
          idempotencyKey,
        });
        return readAnswer(reply, idempotencyKey) as Answers[N];
      } catch (error) {
        if (!(error instanceof VezneError) || !mayRetry(error, route.write)) throw error;
        if (!isRunning(error)) failures += 1;
        const waitMs = pauseMs(error, failures);
        if (failures > retries || waitMs >= end - performance.now()) throw error;
        await pause(waitMs, signal);
      }
    }
  };
}

/** @throws the signal's reason, as soon as there is one. */
function pause(ms: number, signal: CallOptions['signal']): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, {once: true});
  });
}
