/** Chromium for a test file, and what went wrong on the pages it showed. */
import {type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page} from 'playwright-core';
import {afterAll} from 'vitest';
import {chromiumArgs, findChromium} from '../../scripts/parts/chromium.mjs';
import {LeakWatch} from './leak-watch.ts';

export function launchChromium(): Promise<Browser> {
  return chromium.launch({executablePath: findChromium(), args: chromiumArgs});
}

/** A shopper's browser profile: Turkish and on a phone unless said otherwise. */
export async function newProfile(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: {width: 390, height: 844},
    locale: 'tr-TR',
    timezoneId: 'Europe/Istanbul',
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(15_000);
  watchLeaks(context, shown);
  return context;
}

/** What every profile of this test file was shown. */
const shown = new LeakWatch('A browser', {demo: true});
afterAll(() => shown.end());

/** Everything a browser gets to see: headers and bodies of answers, frames of sockets, its console. */
export function watchLeaks(context: BrowserContext, watch: LeakWatch): void {
  context.on('response', async (response) => {
    watch.see(`${response.url()}\n${JSON.stringify(response.headers())}`);
    // A redirect has none, and a page that goes takes its own along.
    const body = await response.body().catch(() => null);
    if (body) watch.see(body.toString());
  });
  context.on('console', (message) => watch.see(message.text()));
  context.on('page', (page) => page.on('websocket', (socket) => socket.on('framereceived', ({payload}) => watch.see(payload.toString()))));
}

/** Collects what a page throws, and what its policy had to stop. */
export function watchFaults(page: Page): string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`thrown: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted Type/i.test(message.text())) faults.push(message.text());
  });
  return faults;
}
