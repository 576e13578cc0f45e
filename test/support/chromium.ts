/** Chromium for a test file, and what went wrong on the pages it showed. */
import {type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page} from 'playwright-core';
import {chromiumArgs, findChromium} from '../../scripts/parts/chromium.mjs';

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
  return context;
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
