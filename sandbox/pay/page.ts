/**
 * The layout of every hosted page, and the HTML helpers of the pages. A page has one column and no inline code or
 * styles. Its content security policy allows only what the page uses.
 */

import {isWebAddress} from '../formats.ts';
import type {PlatformRequest} from '../request.ts';
import {ICON_PATH, SCRIPT_PATH, STYLES_PATH} from './assets.ts';
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
  /**
   * URLs that a form on the page may redirect to. Browsers apply the content security policy to redirects too, so the
   * policy must allow these URLs.
   */
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

/** Redirects the browser to a hosted page or to a URL that the merchant gave. */
export function redirectTo(address: string): Response {
  return new Response(null, {status: 303, headers: {location: address, 'cache-control': 'no-store'}});
}

/** Returns a link to the next step; undefined if `address` is undefined. */
export function nextStepLink(address: string | undefined, text: string): Html | undefined {
  return address === undefined ? undefined : html`<a class="button" href="${address}">${text}</a>`;
}

/** Returns a parameter if it is a web address, otherwise undefined. */
export function readAddress({parameters}: PageRequest, name: string): string | undefined {
  const address = parameters.text(name);
  return isWebAddress(address) ? address : undefined;
}

/** Returns the URL of the current page with some parameters changed, and without the fields of a form. */
export function currentPageWith({path, parameters}: PageRequest, changed: Readonly<Record<string, string>>): string {
  const pageParameters = parameters.entries.filter(([name]) => PAGE_PARAMETERS.has(name));
  const query = new URLSearchParams(Object.entries({...Object.fromEntries(pageParameters), ...changed}));
  return query.size > 0 ? `${path}?${query}` : path;
}

/** The parameters that stay in the URL of a page from one step to the next. */
const PAGE_PARAMETERS: ReadonlySet<string> = new Set(['redirect', 'backUrl', 'lang', 'bank']);

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

/** Text that is HTML already. The function `html` escapes every value that is not of this class. */
export class Html {
  constructor(readonly text: string) {}
}

export type HtmlPart = Html | string | number | false | undefined | readonly HtmlPart[];

/** Joins literals and values: escapes text, keeps `Html`, joins lists and leaves out `false` and `undefined`. */
export function html(literals: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(literals.map((literal, index) => literal + write(parts[index])).join(''));
}

function write(part: HtmlPart): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escape(String(part));
  return part.map(write).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

export interface Button {
  readonly text: string;
  /** The value of the parameter `step`. A form with one button needs none. */
  readonly step?: string;
}

/**
 * A form that the page itself receives. The page checks the fields, because the browser's messages may be in another
 * language. The first button is the one that the Enter key presses.
 */
export function postForm(fields: HtmlPart, buttons: readonly Button[]): Html {
  return html`<form method="post" novalidate>
${fields}
<div class="actions">${buttons.map(
    ({text, step}, index) =>
      html`<button${index > 0 && html` class="plain"`}${step !== undefined && html` name="step" value="${step}"`}>${text}</button>`,
  )}</div>
</form>`;
}

/** What the page asks for. */
interface Question {
  readonly name: string;
  readonly label: string;
  /** The text that says what is wrong with the answer. */
  readonly error?: string | undefined;
}

export interface Field extends Question {
  readonly value?: string;
  /** Smaller text under the label. */
  readonly hint?: string;
  readonly type?: 'text' | 'tel' | 'email';
  readonly inputMode?: 'numeric' | 'decimal';
  readonly autocomplete?: string;
}

/** An input with its label. */
export function inputField(field: Field): Html {
  const {name, label, value = '', hint, type = 'text', inputMode, autocomplete = 'off'} = field;
  return question(
    field,
    html`<label for="${name}">${label}</label>
  ${hint && html`<small id="${name}-hint">${hint}</small>`}
  <input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"${
    inputMode && html` inputmode="${inputMode}"`
  }${stateOf(field, hint === undefined ? [] : [`${name}-hint`])}>`,
  );
}

/** A list from which the shopper chooses one option. */
export function choiceField(field: Question & {value: string; options: Readonly<Record<string, string>>}): Html {
  const {name, label, value, options} = field;
  return question(
    field,
    html`<label for="${name}">${label}</label>
  <select id="${name}" name="${name}"${stateOf(field)}>
${Object.entries(options).map(
  ([option, text]) => html`    <option value="${option}"${value === option && html` selected`}>${text}</option>
`,
)}  </select>`,
  );
}

/** A box to check. */
export function checkField(field: Question & {checked: boolean}): Html {
  const {name, label, checked} = field;
  return question(
    field,
    html`<label class="check"><input type="checkbox" name="${name}" value="1"${checked && html` checked`}${stateOf(field)}>${label}</label>`,
  );
}

function question({name, error}: Question, content: Html): Html {
  return html`<div class="field">
  ${content}
  ${error && html`<span class="error" id="${name}-error">${error}</span>`}
</div>`;
}

/** The attributes of a control that lead to the texts beside it. The first wrong control gets the focus. */
function stateOf({name, error}: Question, texts: readonly string[] = []): Html {
  const described = [...texts, ...(error ? [`${name}-error`] : [])].join(' ');
  return html`${described !== '' && html` aria-describedby="${described}"`}${Boolean(error) && html` aria-invalid="true" autofocus`}`;
}

export interface Fact {
  readonly label: string;
  readonly value: string;
  /** The text that the copy button copies. If it is absent, there is no button. */
  readonly copy?: string;
}

/** Facts in rows, with a copy button next to each value that has a `copy` text. */
export function factList(rows: readonly Fact[], texts: PageTexts): Html {
  return html`<dl>
${rows.map(
  ({label, value, copy}) => html`<div><dt>${label}</dt><dd><span>${value}</span>${
    copy !== undefined &&
    html`<button type="button" class="plain" hidden data-copy="${copy}" data-copied="${texts.copied}: ${label}" aria-label="${texts.copy}: ${label}">${texts.copy}</button>`
  }</dd></div>
`,
)}</dl>`;
}
