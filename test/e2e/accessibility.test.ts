/** Checks each page with axe, and with large text on a narrow screen. `npm run looks` checks all states and languages. */

import type {Page} from 'playwright-core';
import {afterEach, beforeAll, beforeEach, expect, test} from 'vitest';
import {findViolations, PHONE} from './support/accessibility-check.ts';
import {useChromium} from './support/chromium.ts';
import {keepOperations} from './support/keep-operations.ts';
import {openState, origin, type PageState} from './support/page-actions.ts';
import {PAGE_STATES} from './support/page-states.ts';

const openProfile = useChromium({viewport: PHONE}, 'file');
let page: Page;
beforeAll(async () => {
  page = await (await openProfile()).newPage();
});
beforeEach(async () => {
  await page.unrouteAll();
  const tags = new Set<string>();
  // One operation of each kind is enough.
  await keepOperations(
    page,
    ({tags: [tag = ''] = []}, path) => path.endsWith('/faults') || (!tags.has(tag) && tags.add(tag).has(tag)),
  );
});
afterEach(async () => {
  const connection = await page.context().newCDPSession(page);
  await connection.send('Storage.clearDataForOrigin', {origin, storageTypes: 'local_storage,session_storage'});
  await connection.detach();
  await page.evaluate(() => sessionStorage.clear());
});

const SAMPLE = [
  ['the builder', 'en'],
  ['the builder with every choice', 'tr'],
  ['the shop with an order code', 'tr'],
  ['the bank beside the shop', 'en'],
  ['the delivery of a paid order', 'tr'],
  ['the buttons to the platform', 'en'],
  ['the page that sends a bill by link', 'en'],
  ['a payment link', 'tr'],
  ['/p/gold whose script does not come', 'en'],
  ['a bill in the colors of its offer', 'tr'],
  ['a bill that another device has paid', 'en'],
  ['a link that does not exist', 'tr'],
  ['the bank', 'tr'],
  ['the club', 'tr'],
  ['the club with a free trial', 'en'],
  ['the club without a recognized number', 'tr'],
  ['the page of a shopper without a subscription', 'en'],
  ['the vendor registration with the platform’s form', 'tr'],
  ['the API page', 'en'],
  ['the sandbox', 'tr'],
] as const;

test.each(SAMPLE)('%s is accessible (%s)', async (name, language) => {
  await openState(page, PAGE_STATES[name] as PageState, language);
  expect(await findViolations(page)).toEqual([]);
  await page.setViewportSize({width: 320, height: 780});
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  // The bar of the demo needs three rows then, so it must not stay above the text.
  await page.evaluate(() => scrollTo(0, 1000));
  const covered = await page.evaluate(() => document.querySelector('.demo-bar')?.getBoundingClientRect().bottom ?? 0);
  expect(covered).toBeLessThanOrEqual(0);
});
