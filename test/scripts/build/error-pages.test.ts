/** The page of each error code. `test/e2e/browser-api.test.ts` checks that a deployment serves it. */

import {expect, test} from 'vitest';
import {errorPage} from '../../../scripts/build/error-pages.ts';
import {ERROR_CODES, ERROR_KINDS} from '../../../worker/contract/codes.ts';
import {PAGE_ERROR_GUIDE} from '../../../worker/contract/page-error-guide.ts';
import {SERVER_ERROR_GUIDE} from '../../../worker/contract/server-error-guide.ts';

test.each(ERROR_CODES)('the page about the error code %s shows its status, its meaning and what to do', (code) => {
  const text = textOf(errorPage(code));
  expect(text).toContain(`<h1>${code}</h1>`);
  expect(text).toContain(`${ERROR_KINDS[code].status}`);
  const {meaning, action} = {...PAGE_ERROR_GUIDE, ...SERVER_ERROR_GUIDE}[code];
  for (const sentence of [ERROR_KINDS[code].title, meaning, action]) {
    expect(sentence).toMatch(/^[A-Z].{8,}[.)]$/);
    expect(text).toContain(`<p>${sentence.replaceAll('`', '')}</p>`);
  }
});

/** The page's HTML without `<code>` tags and with `&lt;` and `&amp;` decoded. */
function textOf(html: string): string {
  return html
    .replaceAll(/<\/?code>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
}
