/** Checks a page with axe and for horizontal overflow: on a phone and a desktop screen, in light and dark. */

import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import type {AxeResults} from 'axe-core';
import type {Frame, Page} from 'playwright-core';

export const PHONE = {width: 360, height: 780};
const SCREENS = {phone: PHONE, desktop: {width: 1280, height: 900}};
const SCHEMES = ['light', 'dark'] as const;

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type WithAxe = Window & {readonly axe?: {run(options: object): Promise<AxeResults>}};

/**
 * @param document The page itself, or a frame in it.
 * @returns One line for each problem; empty if there are none.
 */
export async function findViolations(page: Page, document: Page | Frame = page): Promise<string[]> {
  // axe is evaluated, not loaded by a script tag, so the page's content security policy can stay on. Nested frames are
  // not included; the caller checks each one separately.
  if (!(await document.evaluate(() => 'axe' in window))) await document.evaluate(axe);
  const found: string[] = [];
  for (const [screen, size] of Object.entries(SCREENS)) {
    await page.setViewportSize(size);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({colorScheme, reducedMotion: 'reduce'});
      const violations = await document.evaluate(
        async () => (await (window as WithAxe).axe?.run({iframes: false, preload: false}))?.violations,
      );
      const overflows = await document.evaluate(() => window.document.documentElement.scrollWidth > innerWidth);
      for (const {id, nodes} of violations ?? [])
        found.push(`${screen}, ${colorScheme}: ${id} at ${nodes.map(({target}) => target.join(' ')).join(', ')}`);
      if (overflows) found.push(`${screen}, ${colorScheme}: wider than the screen`);
    }
  }
  await page.setViewportSize(PHONE);
  return found;
}
