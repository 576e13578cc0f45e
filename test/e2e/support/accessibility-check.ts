/**
 * Checks a page with axe, and checks that it does not overflow horizontally. The screen is a phone in light colors, and
 * then a desktop in dark colors, for which only the rules about colors run again. `npm run looks` runs all rules for
 * all four combinations and takes screenshots.
 */

import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import process from 'node:process';
import type {AxeResults} from 'axe-core';
import type {Frame, Page} from 'playwright-core';
import {expect} from 'vitest';

export const PHONE = {width: 360, height: 780};
const DESKTOP = {width: 1280, height: 900};

/**
 * The folder for screenshots, set by `npm run looks`. If it is set, every look (screen size and color scheme) is
 * checked and its screenshot is saved there.
 */
const LOOKS_FOLDER = process.env['VEZNE_LOOKS'];
const SAMPLE = [
  {screen: 'phone', size: PHONE, colorScheme: 'light'},
  {screen: 'desktop', size: DESKTOP, colorScheme: 'dark'},
] as const;
const LOOKS = LOOKS_FOLDER
  ? [
      ...SAMPLE,
      {screen: 'phone', size: PHONE, colorScheme: 'dark'} as const,
      {screen: 'desktop', size: DESKTOP, colorScheme: 'light'} as const,
    ]
  : SAMPLE;
let lookCount = 0;

/** axe needs most of the processor time of the e2e tests, and these rules need little of it. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The elements' own content, whose states `test/widgets/accessibility.test.ts` checks. `npm run looks` checks it here too. */
const ELEMENTS = [
  'vezne-checkout',
  'vezne-pay-button',
  'vezne-pin-subscribe',
  'vezne-one-click',
  'vezne-subscription',
  'vezne-refund-contact',
  'vezne-vendor-form',
];

type WithAxe = Window & {readonly axe?: {run(context: object, options: object): Promise<AxeResults>}};

/**
 * @param document - The page itself, or a frame in it.
 * @returns One line for each problem; empty if there are none.
 */
export async function findViolations(page: Page, document: Page | Frame = page): Promise<string[]> {
  // axe is evaluated, not loaded by a script tag, so the page's content security policy can stay on. Nested frames are
  // not included; the caller checks each one separately.
  if (!(await document.evaluate(() => 'axe' in window))) await document.evaluate(axe);
  // Without JavaScript, nothing that waits in the page ends, so axe cannot run there.
  const runsScripts = await document.evaluate(() => matchMedia('(scripting: enabled)').matches);
  const found: string[] = [];
  for (const {screen, size, colorScheme} of LOOKS) {
    await page.setViewportSize(size);
    await page.emulateMedia({colorScheme, reducedMotion: 'reduce'});
    if (runsScripts) await page.evaluate(untilColorsStay);
    const onlyColors = !LOOKS_FOLDER && screen === 'desktop';
    const violations = runsScripts
      ? await document.evaluate(
          async ({rules, exclude}) => {
            const options = {
              iframes: false,
              preload: false,
              resultTypes: ['violations'],
              ...(rules && {runOnly: rules}),
            };
            return (await (window as WithAxe).axe?.run({exclude}, options))?.violations;
          },
          {rules: onlyColors ? COLOR_RULES : null, exclude: LOOKS_FOLDER ? [] : ELEMENTS.map((tag) => [tag])},
        )
      : [];
    const unreadable = await document.evaluate(findUnreadableControls);
    const overflows = await document.evaluate(() => window.document.documentElement.scrollWidth > innerWidth);
    for (const {id, nodes} of violations ?? [])
      found.push(`${screen}, ${colorScheme}: ${id} at ${nodes.map(({target}) => target.join(' ')).join(', ')}`);
    for (const control of unreadable)
      found.push(`${screen}, ${colorScheme}: ${control} does not have the color of its label`);
    if (overflows) found.push(`${screen}, ${colorScheme}: wider than the screen`);
    if (LOOKS_FOLDER) await saveScreenshot(page, LOOKS_FOLDER, `${screen}-${colorScheme}`);
  }
  await page.setViewportSize(PHONE);
  return found;
}

/**
 * Waits for what follows a change of the color scheme: a script learns of it in the next frame or in the one after, and
 * the elements change their own colors after a transition. Runs in the page.
 */
async function untilColorsStay(): Promise<void> {
  const rootsIn = (root: Document | ShadowRoot): (Document | ShadowRoot)[] => [
    root,
    ...[...root.querySelectorAll('*')].flatMap((element) => (element.shadowRoot ? rootsIn(element.shadowRoot) : [])),
  ];
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const transitions = rootsIn(document)
    .flatMap((root) => root.getAnimations())
    .filter((animation) => animation instanceof CSSTransition);
  await Promise.allSettled(transitions.map(({finished}) => finished));
  await new Promise((done) => requestAnimationFrame(done));
}

/**
 * axe does not check the contrast of a control that the page draws itself. Such a control has the color of its label's
 * text, whose contrast axe checks. Runs in the page.
 */
function findUnreadableControls(): string[] {
  return [...document.querySelectorAll('label > input')]
    .filter((input) => getComputedStyle(input).appearance === 'none')
    .filter((input) => getComputedStyle(input).color !== getComputedStyle(input.parentElement as Element).color)
    .map(({id, outerHTML}) => id || outerHTML);
}

async function saveScreenshot(page: Page, folder: string, look: string): Promise<void> {
  const test = (expect.getState().currentTestName ?? 'page').replace(/[^\w]+/g, '-').slice(0, 80);
  lookCount += 1;
  await page.screenshot({path: path.join(folder, `${test}-${lookCount}-${look}.png`), fullPage: true});
}
