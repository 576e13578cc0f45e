/**
 * The layout of every hosted page: one column, without inline code or styles, and with a content security policy that
 * allows only what the page uses.
 */

import {isWebAddress} from '../formats.ts';
import type {PlatformRequest} from '../request.ts';
import {ICON_PATH, SCRIPT_PATH, STYLES_PATH} from './assets.ts';
import {html, type Html} from './html.ts';
import {chooseLanguage, type Language, PAGE_TEXTS, type PageTexts} from './texts.ts';

/** One request for a hosted page. */
export interface PageRequest extends PlatformRequest {
  readonly language: Language;
  readonly texts: PageTexts;
}

export function toPageRequest(request: PlatformRequest): PageRequest {
  const language = chooseLanguage(request);
  return {...request, language, texts: PAGE_TEXTS[language]};
}

export interface Page {
  readonly title: string;
  readonly content: Html;
  readonly httpStatus?: number;
  /** Addresses to which a form may redirect: browsers apply the policy to those too. */
  readonly formTargets?: readonly string[];
  /** If true, the merchant may show the page in a frame. */
  readonly embeddable?: boolean;
}

export function answerPage(request: PageRequest, page: Page): Response {
  const {language, texts} = request;
  const other = language === 'tr' ? 'en' : 'tr';
  const {title, content, httpStatus = 200, formTargets = [], embeddable = false} = page;
  const document = html`<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${texts.brand}</title>
<link rel="icon" href="${ICON_PATH}">
<link rel="stylesheet" href="${STYLES_PATH}">
<script src="${SCRIPT_PATH}" type="module"></script>
<header>
  <span class="brand">${texts.brand}</span>
  <a href="${currentPageWith(request, {lang: other})}" lang="${other}" hreflang="${other}">${texts.otherLanguage}</a>
</header>
<main>
<h1>${title}</h1>
${content}
</main>
<footer>${texts.sandbox}</footer>
</html>
`;
  return new Response(document.text, {
    status: httpStatus,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy(formTargets, embeddable),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  });
}

/** Redirects the browser to a hosted page or to an address that the merchant gave. */
export function redirectTo(address: string): Response {
  return new Response(null, {status: 303, headers: {location: address, 'cache-control': 'no-store'}});
}

/** A link to the next step; undefined without an address. */
export function nextStepLink(address: string | undefined, text: string): Html | undefined {
  return address === undefined ? undefined : html`<a class="button" href="${address}">${text}</a>`;
}

/** A parameter that is a web address. Any other value counts as absent. */
export function readAddress({parameters}: PageRequest, name: string): string | undefined {
  const address = parameters.text(name);
  return isWebAddress(address) ? address : undefined;
}

/** The address of the current page with changed parameters. Fields of a form are not kept. */
export function currentPageWith({path, parameters}: PageRequest, changed: Readonly<Record<string, string>>): string {
  const kept = parameters.entries.filter(([name]) => KEPT_PARAMETERS.has(name));
  const query = new URLSearchParams(Object.entries({...Object.fromEntries(kept), ...changed}));
  return query.size > 0 ? `${path}?${query}` : path;
}

/** The parameters that stay in the address of a page from one step to the next. */
const KEPT_PARAMETERS: ReadonlySet<string> = new Set(['redirect', 'backUrl', 'lang', 'bank']);

export function answerNotFound(request: PageRequest): Response {
  const {texts} = request;
  return answerPage(request, {title: texts.notFound, httpStatus: 404, content: html`<p>${texts.notFoundText}</p>`});
}

function contentSecurityPolicy(formTargets: readonly string[], embeddable: boolean): string {
  const targets = formTargets.filter(isWebAddress).map((address) => new URL(address).origin);
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    `form-action ${["'self'", ...targets].join(' ')}`,
    "base-uri 'none'",
    ...(embeddable ? [] : ["frame-ancestors 'none'"]),
  ].join('; ');
}
