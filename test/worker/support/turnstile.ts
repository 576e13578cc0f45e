/** Turnstile as the Worker meets it: it cannot be reached from a test. */

import {vi} from 'vitest';

const VERIFY = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';

/** Bindings of a Worker with a human check. */
export const TURNSTILE = {TURNSTILE_SECRET: 'turnstile-secret-of-ours', TURNSTILE_SITEKEY: '0x4AAAAAAA'};

/** Has Turnstile say this of a token. @returns what it is asked. */
export function turnstileSays(says: (human: string) => Response | Promise<Response>): {asked: unknown[]} {
  const asked: unknown[] = [];
  const real = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (input !== VERIFY) return real(input, init);
    const question = JSON.parse(String(init?.body)) as {response: string};
    asked.push(question);
    return says(question.response);
  });
  return {asked};
}
