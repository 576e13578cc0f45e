/** Opens browser profiles for a test file and checks their pages for errors and leaked secrets. */

import {type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page} from 'playwright-core';
import {afterAll, afterEach, expect} from 'vitest';
import {chromiumArgs, findChromium} from '../../../scripts/lib/chromium.mjs';
import {LeakWatch} from '../../support/leak-watch.ts';

let launched: Promise<Browser> | undefined;

/** Starts Chromium once for all test files of a process. It ends with the process. */
export async function sharedChromium(): Promise<Browser> {
  if (launched && !(await launched).isConnected()) launched = undefined;
  launched ??= chromium.launch({executablePath: findChromium(), args: chromiumArgs});
  return launched;
}

export type OpenProfile = (options?: BrowserContextOptions) => Promise<BrowserContext>;

/**
 * Returns a function that opens a browser profile. By default a profile is Turkish and has a phone's viewport. A test
 * fails if one of its pages threw an error or violated its content security policy.
 * @param lasts - When profiles are closed: after each test, or after all tests of the file.
 */
export function useChromium(defaults: BrowserContextOptions = {}, lasts: 'test' | 'file' = 'test'): OpenProfile {
  const leakWatch = new LeakWatch('A browser', {demo: true});
  const profiles: BrowserContext[] = [];
  const errors: string[] = [];
  const close = () => Promise.all(profiles.splice(0).map((profile) => profile.close()));
  afterEach(async () => {
    if (lasts === 'test') await close();
    expect(errors.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await close();
    leakWatch.assertClean();
  });
  return async (options) => {
    const profile = await (
      await sharedChromium()
    ).newContext({
      viewport: {width: 390, height: 844},
      locale: 'tr-TR',
      timezoneId: 'Europe/Istanbul',
      reducedMotion: 'reduce',
      ...defaults,
      ...options,
    });
    profiles.push(profile);
    // After an outage, a page notices a silent socket within 49 s and retries a request within 33 s, and a failing sweep
    // pauses for 15 s.
    profile.setDefaultTimeout(120_000);
    watchLeaks(profile, leakWatch);
    profile.on('page', (page) => collectPageErrors(page, errors));
    return profile;
  };
}

/** Built files, which `setup.ts` has scanned. */
const BUILT = /^\/(?:demo|vezne)\//;

/** Scans everything a browser receives or logs: response headers and bodies, WebSocket frames, and its console. */
export function watchLeaks(context: BrowserContext, watch: LeakWatch): void {
  context.on('response', async (response) => {
    watch.scan(`${response.url()}\n${JSON.stringify(response.headers())}`);
    if (BUILT.test(new URL(response.url()).pathname)) return;
    // A redirect has no body, and the body of a page that was left can no longer be read.
    const body = await response.body().catch(() => null);
    if (body) watch.scan(body.toString());
  });
  context.on('console', (message) => watch.scan(message.text()));
  context.on('page', (page) =>
    page.on('websocket', (socket) => socket.on('framereceived', ({payload}) => watch.scan(payload.toString()))),
  );
}

/** Collects the errors a page throws and the violations of its content security policy. */
function collectPageErrors(page: Page, errors: string[]): void {
  page.on('pageerror', (error) => errors.push(`thrown: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted Type/i.test(message.text())) errors.push(message.text());
  });
}
