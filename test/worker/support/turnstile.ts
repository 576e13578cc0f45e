/** Stands in for Turnstile, which a test cannot reach. */

import {vi} from 'vitest';

const VERIFY = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';

/** Bindings of a Worker with a human check. */
export const TURNSTILE = {TURNSTILE_SECRET: 'turnstile-secret-of-ours', TURNSTILE_SITEKEY: '0x4AAAAAAA'};

/** Makes Turnstile answer each verification with `answer`. @returns the bodies of the requests that it receives. */
export function stubTurnstile(answer: (human: string) => Response | Promise<Response>): {requests: unknown[]} {
  const requests: unknown[] = [];
  const realFetch = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (input !== VERIFY) return realFetch(input, init);
    const request = JSON.parse(String(init?.body)) as {response: string};
    requests.push(request);
    return answer(request.response);
  });
  return {requests};
}
