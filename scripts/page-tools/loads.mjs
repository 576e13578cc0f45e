// @ts-check
// Loads what the tools have made of the snippets, with a Worker and the sandbox: the element works, and the rest of the
// page stays where it was.

import {isComplete} from './snippets.mjs';

const TIMEOUT_MS = 20_000;

/** An offer of the sandbox in place of that of the snippet, and the Worker's address. @param {string} html @param {string} worker */
const forSandbox = (html, worker) =>
  html
    .replaceAll(/https:\/\/pay\.example\.com|http:\/\/localhost:5173/g, worker)
    .replaceAll(/(offer="?)lamp\b/g, '$1gold');

/**
 * @param {import('playwright-core').Page} page
 * @param {{tool: string, snippet: string, html: string}[]} made
 * @param {import('../page-tools.mjs').Stack} stack
 * @param {import('../page-tools.mjs').Report} report
 */
export async function checkLoads(page, made, {shop, worker}, report) {
  const complete = made.filter(({snippet}) => isComplete(snippet));
  const pages = Map.groupBy(complete, ({html}) => html);
  const failed = [];
  for (const [html, [first]] of pages) {
    shop.html = forSandbox(html, worker);
    await page.goto(shop.origin);
    const problem = await findProblem(page).catch((error) => String(error));
    if (problem) failed.push(`${first?.tool}: ${problem}\n${html}`);
  }
  report(`${pages.size} pages of these tools load the elements`, failed.length === 0 && pages.size > 0);
  for (const each of failed) console.log(each);
}

/** @param {import('playwright-core').Page} page */
async function findProblem(page) {
  const element = page.locator('vezne-checkout, vezne-pin-subscribe, vezne-pay-button').first();
  await element.locator('input, button').filter({visible: true}).first().waitFor({timeout: TIMEOUT_MS});
  if (
    await page
      .getByText(/0850 000 00 00/)
      .filter({visible: true})
      .count()
  )
    return 'the sentence is still shown';
  const after = page.getByText('After').filter({visible: true});
  const isOutside = await after.evaluateAll((nodes) =>
    nodes.some(
      (node) =>
        ![...document.querySelectorAll('*')].some((each) => each.localName.startsWith('vezne-') && each.contains(node)),
    ),
  );
  return isOutside ? null : 'what follows the element is gone';
}
