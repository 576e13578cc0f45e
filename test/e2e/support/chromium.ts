/** Chromium for a test file, and what went wrong on the pages it showed. */

import {type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page} from 'playwright-core';
import {afterAll, afterEach, beforeAll, expect} from 'vitest';
import {chromiumArgs, findChromium} from '../../../scripts/lib/chromium.mjs';
import {LeakWatch} from '../../support/leak-watch.ts';

export function launchChromium(): Promise<Browser> {
  return chromium.launch({executablePath: findChromium(), args: chromiumArgs});
}

export type OpenProfile = (options?: BrowserContextOptions) => Promise<BrowserContext>;

/**
 * One Chromium for a test file. A browser profile is Turkish and on a phone unless said otherwise, and closed after its test, which fails
 * where a page threw something or its policy had to stop something.
 */
export function useChromium(usual: BrowserContextOptions = {}): OpenProfile {
  let browser: Browser;
  const profiles: BrowserContext[] = [];
  const faults: string[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterEach(async () => {
    await Promise.all(profiles.splice(0).map((profile) => profile.close()));
    expect(faults.splice(0)).toEqual([]);
  });
  afterAll(() => browser.close());
  return async (options) => {
    const profile = await browser.newContext({
      viewport: {width: 390, height: 844},
      locale: 'tr-TR',
      timezoneId: 'Europe/Istanbul',
      reducedMotion: 'reduce',
      ...usual,
      ...options,
    });
    profiles.push(profile);
    profile.setDefaultTimeout(15_000);
    watchLeaks(profile, shown);
    profile.on('page', (page) => collectPageErrors(page, faults));
    return profile;
  };
}

/** What every profile of this test file was shown. */
const shown = new LeakWatch('A browser', {demo: true});
afterAll(() => shown.assertClean());

/** Everything a browser gets to see: headers and bodies of answers, frames of sockets, its console. */
export function watchLeaks(context: BrowserContext, watch: LeakWatch): void {
  context.on('response', async (response) => {
    watch.scan(`${response.url()}\n${JSON.stringify(response.headers())}`);
    // A redirect has none, and a page that goes takes its own along.
    const body = await response.body().catch(() => null);
    if (body) watch.scan(body.toString());
  });
  context.on('console', (message) => watch.scan(message.text()));
  context.on('page', (page) =>
    page.on('websocket', (socket) => socket.on('framereceived', ({payload}) => watch.scan(payload.toString()))),
  );
}

/** Collects what a page throws, and what its policy had to stop. */
function collectPageErrors(page: Page, faults: string[]): void {
  page.on('pageerror', (error) => faults.push(`thrown: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted Type/i.test(message.text())) faults.push(message.text());
  });
}
