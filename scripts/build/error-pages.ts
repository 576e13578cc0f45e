/**
 * A Vite plugin that adds a small page about each error code: `/problems/<code>`. The `type` of every problem is the
 * path of such a page. The pages are static files, so the Worker does not contain their texts, and they are served even
 * if the configuration is wrong.
 */

import type {Plugin} from 'vite';
import {ERROR_CODES, ERROR_KINDS, type ErrorCode} from '../../worker/contract/codes.ts';
import {PAGE_ERROR_GUIDE} from '../../worker/contract/page-error-guide.ts';
import {SERVER_ERROR_GUIDE} from '../../worker/contract/server-error-guide.ts';

export function errorPages(): Plugin {
  return {
    name: 'error-pages',
    generateBundle() {
      for (const code of ERROR_CODES)
        this.emitFile({type: 'asset', fileName: `problems/${code}.html`, source: errorPage(code)});
    },
  };
}

export function errorPage(code: ErrorCode): string {
  const {status, title, retryable} = ERROR_KINDS[code];
  const {meaning, action} = {...PAGE_ERROR_GUIDE, ...SERVER_ERROR_GUIDE}[code];
  const statuses = code === 'invalid_request' ? `${status} or 400` : status;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${code}</title>
<style>body{font:1rem/1.5 system-ui;max-width:40rem;margin:2rem auto;padding:0 1rem}</style>
<h1>${code}</h1>
<p>${toHtml(title)}</p>
<h2>HTTP status</h2>
<p>${statuses}.${retryable ? ' The same request may succeed later.' : ''}</p>
<h2>Meaning</h2>
<p>${toHtml(meaning)}</p>
<h2>What to do</h2>
<p>${toHtml(action)}</p>
</html>
`;
}

/** Converts a sentence of an error description to HTML. Code stands between backticks. */
function toHtml(sentence: string): string {
  return sentence
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/`([^`]+)`/g, '<code>$1</code>');
}
