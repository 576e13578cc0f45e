/**
 * `GET /problems/{code}`: a small page about an error code. The `type` of every problem is the path of such a page. An
 * isolate loads this file, with all texts, when the first of these pages is requested.
 */

import {ERROR_CODES, ERROR_KINDS, type ErrorCode} from '../contract/codes.ts';
import {PAGE_ERROR_GUIDE} from '../contract/page-error-guide.ts';
import {SERVER_ERROR_GUIDE} from '../contract/server-error-guide.ts';
import {ApiError} from '../http/errors.ts';

/** @throws {ApiError} `not_found` if there is no such code. */
export function showErrorPage(code: string): Response {
  if (!isErrorCode(code)) throw new ApiError('not_found');
  return new Response(pageOf(code), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    },
  });
}

function isErrorCode(code: string): code is ErrorCode {
  return (ERROR_CODES as readonly string[]).includes(code);
}

function pageOf(code: ErrorCode): string {
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
