/** Checks some states of the pages with axe. `npm run looks` checks all states in both languages. */

import {expect, test} from 'vitest';
import {findViolations, PHONE} from './support/accessibility-check.ts';
import {useChromium} from './support/chromium.ts';
import {openState, PAGE_STATES, type PageState} from './support/page-states.ts';

const openProfile = useChromium({viewport: PHONE});

const SAMPLE = [
  ['the start page', 'en'],
  ['the shop with an order code', 'tr'],
  ['the bank beside the shop', 'en'],
  ['the page of a paid order', 'tr'],
] as const;

test.each(SAMPLE)('%s is accessible (%s)', async (name, language) => {
  const page = await (await openProfile()).newPage();
  await openState(page, PAGE_STATES[name] as PageState, language);
  expect(await findViolations(page)).toEqual([]);
});
