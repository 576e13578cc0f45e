/** What is wrong with an element for people who cannot see the page, or not well. */

import 'axe-core/axe.min.js';
import type axeCore from 'axe-core';

const {axe} = globalThis as unknown as {axe: typeof axeCore};

const ALL_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The WCAG violations of an element in its current state. */
export async function findViolations(element: Element, runOnly = ALL_RULES): Promise<string[]> {
  const {violations} = await axe.run(element, {
    runOnly,
    // These rules concern the page around the element.
    rules: {
      region: {enabled: false},
      'landmark-one-main': {enabled: false},
      'page-has-heading-one': {enabled: false},
      'heading-order': {enabled: false},
    },
    resultTypes: ['violations'],
    iframes: false,
  });
  return violations.flatMap(({id, nodes}) => nodes.map(({html, failureSummary}) => `${id}: ${html} ${failureSummary}`));
}
