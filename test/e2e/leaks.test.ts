/**
 * Proves that the leak check finds a secret in anything that a browser receives. All other e2e tests rely on this
 * check.
 */

import {expect, inject, test} from 'vitest';
import {LeakWatch} from '../support/leak-watch.ts';
import {sharedChromium, watchLeaks} from './support/chromium.ts';

const {page: origin} = inject('addresses');
const SECRET = 'sandbox-landing-authorization';

test.for<[where: string, answer: {headers?: Record<string, string>; body?: string}, finding: string]>([
  ['a body', {body: `{"code":"internal","detail":"${btoa(SECRET)}"}`}, 'LANDING_AUTHORIZATION in base64'],
  ['a header', {headers: {'x-debug': SECRET}}, 'LANDING_AUTHORIZATION'],
  [
    'the console',
    {
      headers: {'content-type': 'text/html'},
      body: `<script>console.log('${btoa(SECRET)}'.replace(/.*/, atob))</script>`,
    },
    'LANDING_AUTHORIZATION',
  ],
])('the leak check notices a secret in %s', async ([_where, answer, finding]) => {
  const profile = await (await sharedChromium()).newContext();
  const watch = new LeakWatch('The page');
  watchLeaks(profile, watch);
  await profile.route(`${origin}/leak`, (route) => route.fulfill(answer));
  const page = await profile.newPage();
  await page.goto(`${origin}/leak`);
  await expect.poll(() => errorOf(watch)).toContain(finding);
  await profile.close();
});

/** @returns The message of the failed check; empty if nothing leaked. */
function errorOf(watch: LeakWatch): string {
  try {
    watch.assertClean();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
