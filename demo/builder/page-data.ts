/** What the server of a page of the builder writes into it: `demo/pages.ts` does, or `npx vezne dev`. */

import type {Offers} from './elements.ts';

interface PageData {
  /** Origin of the sandbox. */
  readonly sandbox: string;
  /** The sandbox's key, which everybody knows; empty if the Worker has another. */
  readonly key: string;
  /** The offers of the settings. */
  readonly offers: Offers;
}

export const pageData = JSON.parse(document.querySelector('#data')?.textContent ?? '') as PageData;
