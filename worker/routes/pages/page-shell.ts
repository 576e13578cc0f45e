/** What the pages that the Worker itself serves share: the language, the headers, and what surrounds their content. */

import type {Config} from '../../config/config.ts';
import type {Seller} from '../../contract/fields.ts';
import {type Html, html} from './html.ts';
import {type Language, type NoticeName, PAGE_TEXTS} from './page-texts.ts';
import {qrImage} from './qr-code.ts';
import {icon, initialOf, type Theme, themeUrl} from './theme.ts';

/**
 * The language of a page: that of `?lang=`, else the first language of the browser that is Turkish or English. As in the
 * elements, a browser that names no language gets Turkish, and every other language becomes English.
 */
export function languageOf({url, headers}: Request): Language {
  const asked = new URL(url).searchParams.get('lang');
  if (asked === 'tr' || asked === 'en') return asked;
  const first = (headers.get('accept-language') ?? 'tr')
    .slice(0, MAX_LANGUAGES_LENGTH)
    .split(',')
    .find((range) => /^\s*(?:tr|en)\b/i.test(range) && !/;\s*q=0(?:\.0*)?\s*$/.test(range));
  return first?.trim().toLowerCase().startsWith('tr') ? 'tr' : 'en';
}

/** A browser names a few languages. A longer header would only cost time. */
const MAX_LANGUAGES_LENGTH = 200;

export interface ServedPage {
  readonly language: Language;
  /** The page's own path, without query and with a slash at its beginning. Null if the page has no address to share. */
  readonly path: string | null;
  /** Whether the page invites to share and print it. By default, a page with a path does; not one for a single person. */
  readonly isShared?: boolean;
  /** The title of the browser's tab, and of a preview in a chat. */
  readonly title: string;
  readonly description?: string | undefined;
  /** The heading of the page. */
  readonly heading: string;
  readonly seller?: Seller | undefined;
  readonly theme?: Theme | undefined;
  /** The script of the elements, if the page has elements. */
  readonly script?: string | undefined;
  /** The Trusted Types policy of these elements. */
  readonly trustedTypes?: 'vezne-transfer' | 'vezne-subscription' | 'vezne-refund' | undefined;
  /** The origin to which a form of the page leads after the Worker's answer. */
  readonly formTarget?: string | undefined;
  readonly body: Html;
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Makes the answer. Nobody else may keep, index, frame or read a page, and no other site learns its address, which for a
 * bill is a secret.
 * @param config - Null if the configuration is wrong.
 */
export function renderPage(page: ServedPage, {url}: Request, config: Config | null): Response {
  const {origin, host, protocol} = new URL(url);
  const {
    language,
    path,
    isShared = path !== null,
    title,
    heading,
    description,
    seller,
    theme,
    script,
    body,
    status = 200,
    headers,
  } = page;
  const t = PAGE_TEXTS[language];
  const other = language === 'tr' ? 'en' : 'tr';
  const address = path !== null && isShared ? origin + path : null;
  const document = html`<!doctype html>
<html lang="${language}"${theme?.scheme ? html` data-scheme="${theme.scheme}"` : null}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme?.scheme ?? 'light dark'}">
<meta name="robots" content="noindex, nofollow, noarchive">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
${
  description &&
  html`<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:type" content="website">
<meta property="og:locale" content="${language === 'tr' ? 'tr_TR' : 'en_GB'}">`
}
<link rel="icon" type="image/svg+xml" href="${icon(seller?.name, theme?.accent)}">
<link rel="stylesheet" href="/page.css">
${theme?.accent && html`<link rel="stylesheet" href="${themeUrl(theme.accent)}">`}
${script && html`<link rel="stylesheet" href="/vezne.css"><script type="module" src="${script}"></script>`}
${path !== null && html`<script type="module" src="/page.js"></script>`}
</head>
<body>
<header>
${seller && html`<span class="mark" aria-hidden="true">${initialOf(seller.name)}</span>`}
<h1>${heading}</h1>
${path !== null && html`<a class="language" href="${path}?lang=${other}" lang="${other}" hreflang="${other}">${PAGE_TEXTS[other].name}</a>`}
</header>
<main>
${body}
</main>
${
  (seller ?? address) &&
  html`<footer>
${seller && contactsOf(seller, language)}
${
  address &&
  html`<section class="share" aria-label="${t.thisPage}">
${qrImage(address, t.qr)}
<div><p class="on-screen">${t.onPhone}</p><p class="on-paper">${t.onPaper} <b>${address}</b></p>
<p class="buttons" hidden><button type="button" data-share data-copied="${t.copied}">${t.share}</button><button type="button" data-print>${t.print}</button></p>
<p role="status"></p></div>
</section>`
}
</footer>`
}
</body>
</html>
`;
  return new Response(document.text, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-language': language,
      'cache-control': 'no-store',
      vary: 'Accept-Language',
      'content-security-policy': contentPolicy(page, `${protocol === 'https:' ? 'wss' : 'ws'}://${host}`, config),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      // Not `no-referrer`, with which a browser would send no `Origin` with the page's own form.
      'referrer-policy': 'same-origin',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      ...headers,
    },
  });
}

const HUMAN_CHECK = 'https://challenges.cloudflare.com';

/** @param socket - The Worker's origin for sockets, which not every browser counts as `'self'`. */
function contentPolicy({script, trustedTypes, formTarget}: ServedPage, socket: string, config: Config | null): string {
  const check = script !== undefined && config?.turnstile ? ` ${HUMAN_CHECK}` : '';
  return [
    "default-src 'none'",
    `script-src 'self'${check}`,
    "style-src 'self'",
    "img-src 'self' data:",
    script === undefined ? "connect-src 'none'" : `connect-src 'self' ${socket}`,
    ...(check ? [`frame-src${check}`] : []),
    "base-uri 'none'",
    formTarget === undefined ? "form-action 'none'" : `form-action 'self' ${formTarget}`,
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${trustedTypes === undefined ? "'none'" : `${trustedTypes} vezne-human`}`,
  ].join('; ');
}

/** The seller's contacts as texts, which paper shows too. */
function contactsOf(seller: Seller, language: Language): Html {
  const t = PAGE_TEXTS[language];
  const {support_url: page, support_email: email, support_phone: phone} = seller;
  if (!page && !email && !phone) return html``;
  return html`<section class="contacts" aria-labelledby="seller">
<h2 id="seller">${t.questions}</h2>
${phone && html`<p><a href="tel:${phone.replace(/[^+\d]/g, '')}">${phone}</a></p>`}
${email && html`<p><a href="mailto:${email}">${email}</a></p>`}
${page && html`<p><a href="${page}" rel="noreferrer">${page.replace(/^https?:\/\//, '')}</a></p>`}
</section>`;
}

/** A card that says why there is no payment here, and what to do. @param subject - What would have been paid. */
export function noticeCard(name: NoticeName, language: Language, subject?: string): Html {
  const [title, text] = PAGE_TEXTS[language].notices[name];
  return html`<section class="notice" lang="${language}"><h2>${title}</h2>${subject !== undefined && html`<p><b>${subject}</b></p>`}<p>${text}</p></section>`;
}
