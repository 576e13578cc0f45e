/** The page of a refund link, `/r/<token>`. */

import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {handle} from '../../../../worker/router.ts';
import {nextAddress, WORKER} from '../../support/page.ts';

const TOKEN = 'Zk3v0pW8bT1yQm6XcR9dLgu2HsAe4N';

async function open(path: string) {
  const response = await handle(new Request(WORKER + path, {headers: {'cf-connecting-ip': nextAddress()}}), env);
  return {status: response.status, headers: response.headers, text: await response.text()};
}

test('the page has the element and its script, in the asked language, and does not offer to share its address', async () => {
  const {status, headers, text} = await open(`/r/${TOKEN}?lang=en`);
  expect(status).toBe(200);
  expect(text).toContain('<script type="module" src="/refund.js"></script>');
  expect(text).toContain(`<vezne-refund-contact link="${TOKEN}" lang="en">`);
  expect(text).not.toContain('data-share');
  expect(headers.get('content-security-policy')).toMatch(/script-src 'self';.*trusted-types vezne-refund /);
  expect(headers.get('x-robots-tag')).toContain('noindex');
  expect(headers.get('cache-control')).toBe('no-store');
});

test('an address that cannot be that of a refund link is not found', async () => {
  for (const path of ['/r/short', `/r/${TOKEN}x`, '/r/%3Cscript%3E'])
    expect([path, (await open(path)).status]).toEqual([path, 404]);
});
