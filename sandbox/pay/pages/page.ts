/** The frame of every hosted page: one column, no inline code or style, a policy that allows just what is here. */

import type {Visit} from '../../visit.ts';
import {isWebAddress} from '../../web-address.ts';
import {ICON_PATH, SCRIPT_PATH, STYLES_PATH} from './assets.ts';
import {html, type Html} from './html.ts';
import {chooseLanguage, type Language} from './language.ts';
import {WORDS, type Words} from './words.ts';

/** One visit to a hosted page. */
export interface PageVisit extends Visit {
  readonly language: Language;
  readonly words: Words;
}

export function toPageVisit(visit: Visit): PageVisit {
  const language = chooseLanguage(visit);
  return {...visit, language, words: WORDS[language]};
}

export interface Page {
  readonly title: string;
  readonly content: Html;
  readonly httpStatus?: number;
  /** Addresses a form may lead to by redirect: browsers ask the policy about those too. */
  readonly leadsTo?: readonly string[];
  /** A frame of the merchant's may show it. */
  readonly framed?: boolean;
}

export function answerPage(visit: PageVisit, page: Page): Response {
  const {language, words} = visit;
  const other = language === 'tr' ? 'en' : 'tr';
  const {title, content, httpStatus = 200, leadsTo = [], framed = false} = page;
  const document = html`<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${words.brand}</title>
<link rel="icon" href="${ICON_PATH}">
<link rel="stylesheet" href="${STYLES_PATH}">
<script src="${SCRIPT_PATH}" type="module"></script>
<header>
  <span class="brand">${words.brand}</span>
  <a href="${sameWith(visit, {lang: other})}" lang="${other}" hreflang="${other}">${words.otherLanguage}</a>
</header>
<main>
<h1>${title}</h1>
${content}
</main>
<footer>${words.sandbox}</footer>
</html>
`;
  return new Response(document.text, {
    status: httpStatus,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy(leadsTo, framed),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  });
}

/** Sends the browser on: to a page here, or to where the merchant said. */
export function leadTo(address: string): Response {
  return new Response(null, {status: 303, headers: {location: address, 'cache-control': 'no-store'}});
}

/** A link that says what is there to do next; nothing without an address. */
export function nextLink(address: string | undefined, text: string): Html | undefined {
  return address === undefined ? undefined : html`<a class="button" href="${address}">${text}</a>`;
}

/** A parameter that is a web address; anything else is as good as absent. */
export function readAddress({parameters}: PageVisit, name: string): string | undefined {
  const address = parameters.text(name);
  return isWebAddress(address) ? address : undefined;
}

/** The same page with parameters changed. Of a form's fields nothing is kept. */
export function sameWith({path, parameters}: PageVisit, changed: Readonly<Record<string, string>>): string {
  const kept = parameters.entries.filter(([name]) => CARRIED.has(name));
  const query = new URLSearchParams(Object.entries({...Object.fromEntries(kept), ...changed}));
  return query.size > 0 ? `${path}?${query}` : path;
}

/** What stays in a page's address from one step to the next. */
const CARRIED: ReadonlySet<string> = new Set(['redirect', 'backUrl', 'lang', 'bank']);

export function answerNotFound(visit: PageVisit): Response {
  const {words} = visit;
  return answerPage(visit, {title: words.notFound, httpStatus: 404, content: html`<p>${words.notFoundText}</p>`});
}

function policy(leadsTo: readonly string[], framed: boolean): string {
  const targets = leadsTo.filter(isWebAddress).map((address) => new URL(address).origin);
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    `form-action ${["'self'", ...targets].join(' ')}`,
    "base-uri 'none'",
    ...(framed ? [] : ["frame-ancestors 'none'"]),
  ].join('; ');
}
