/** A Worker that calls one operation per request, each time with a new client, so that no circuit is open. */

import {PlatformClient} from '../../../worker/platform/client.ts';
import {PlatformError, type PlatformFailure} from '../../../worker/platform/failure.ts';
import {
  landingInterface,
  micropaymentInterface,
  paymentPageInterface,
  phsInterface,
} from '../../../worker/platform/interfaces.ts';
import {DEFAULT_RECIPE} from '../../../worker/platform/keys.ts';
import {type OperationName, operations} from '../../../worker/platform/operations/index.ts';
import {unlimited} from '../../support/unlimited-quotas.ts';
import {INPUTS} from './inputs.ts';

export interface CallRequest {
  readonly operation: OperationName;
  readonly baseUrl: string;
  /** The part of the deadline that is left when the call starts; by default all of it. */
  readonly leftMs?: number;
}

/** How a call ended. The failure is null after a success, and a string for an error that is not a `PlatformError`. */
export interface CallResult {
  readonly failure: PlatformFailure | null | string;
  readonly tookMs: number;
}

export default {
  async fetch(request: Request): Promise<Response> {
    const callRequest = (await request.json()) as CallRequest;
    const startedAt = Date.now();
    const failure = await failureOf(call(callRequest));
    return Response.json({failure, tookMs: Date.now() - startedAt} satisfies CallResult);
  },
};

function call({operation, baseUrl, leftMs}: CallRequest): Promise<unknown> {
  const {deadlineMs} = operations[operation];
  const merchantId = '123';
  let token = 0;
  // The client reads the clock for the first time when it sets the deadline. After that, the clock jumps ahead.
  let skippedMs = 0;
  const now = () => {
    const time = Date.now() + skippedMs;
    skippedMs = deadlineMs - (leftMs ?? deadlineMs);
    return time;
  };
  const client = new PlatformClient({
    interfaces: {
      phs: phsInterface({baseUrl, merchantId, parameters: 'form'}),
      micropayment: micropaymentInterface({baseUrl, merchantId, credentials: {headers: {}, query: {}, body: {}}}),
      payment_page: paymentPageInterface({
        baseUrl,
        merchantId,
        secret: 'hush',
        recipe: DEFAULT_RECIPE,
        types: 'numbers',
      }),
      landing: landingInterface({baseUrl, merchantId, authorization: 'hush'}),
    },
    tokens: {current: async () => `token-${token}`, renew: async () => `token-${(token += 1)}`},
    quotas: unlimited,
    fetch: (url, init) => fetch(url, init),
    clock: {now, wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)), random: Math.random},
  });
  return client.call(operation, INPUTS[operation] as never);
}

async function failureOf(task: Promise<unknown>): Promise<CallResult['failure']> {
  try {
    await task;
    return null;
  } catch (error) {
    return error instanceof PlatformError ? error.failure : String(error);
  }
}
