/** The front page of the sandbox: a form for each control. */

import type {Config} from '../config.ts';
import {Html, html} from '../pay/page.ts';
import {chooseLanguage, type Language} from '../pay/texts.ts';
import type {PlatformRequest} from '../request.ts';
import type {Control} from './control-input.ts';
import {CONTROLS} from './controls.ts';
import {ICON, SCRIPT, STYLES} from './front-page-assets.ts';
import {CONTROL_FORMS, FRONT_PAGE_TEXTS, type FrontPageTexts, type Group} from './front-page-texts.ts';

/** This control deletes every record, so its button asks for a second press. */
const RESET_PATH = '/_sandbox/reset';
const GROUPS: readonly Group[] = ['payments', 'mobile', 'platform'];

/** GET /: shows the sandbox and its controls. */
export function answerFrontPage(request: Pick<PlatformRequest, 'parameters' | 'headers'>, config: Config): Response {
  const language = chooseLanguage(request);
  return new Response(renderPage(language, demoAddress(config, language)).text, {
    headers: {'content-type': 'text/html; charset=utf-8', 'x-content-type-options': 'nosniff'},
  });
}

/** Returns the URL of the demo, on the origin that receives refund results; undefined if no origin is configured. */
function demoAddress({notifyUrls}: Config, language: Language): string | undefined {
  if (notifyUrls.refund === '') return undefined;
  return new URL(language === 'tr' ? '/' : '/en/', notifyUrls.refund).href;
}

function renderPage(language: Language, demo: string | undefined): Html {
  const texts = FRONT_PAGE_TEXTS[language];
  const other = language === 'tr' ? 'en' : 'tr';
  return html`<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${texts.description}">
<title>${texts.title} · Vezne</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
<style>${new Html(STYLES)}</style>
<body data-away="${texts.away}">
<header class="bar"><div>
  <a class="brand" href="${demo ?? '/'}">${new Html(ICON)} Vezne</a>
  ${demo !== undefined && html`<a href="${demo}">${texts.demo}</a>`}
  <a href="/?lang=${other}" lang="${other}" hreflang="${other}">${texts.otherLanguage}</a>
</div></header>
<main>
<h1>${texts.title}</h1>
<p>${texts.lead}</p>
<p class="quiet">${texts.interfaces} <code>/phs</code> <code>/micropayment</code> <code>/pay</code> <code>/landing</code>. ${texts.details}</p>
<nav aria-label="${texts.title}">${GROUPS.map((group) => html`<a href="#${group}">${texts[group]}</a> `)}</nav>
${GROUPS.map((group) => renderGroup(group, language, texts))}
</main>
<script type="module">${new Html(SCRIPT)}</script>
</html>
`;
}

function renderGroup(group: Group, language: Language, texts: FrontPageTexts): Html {
  const controls = CONTROLS.filter((control) => CONTROL_FORMS[nameOf(control)]?.group === group);
  return html`<section aria-labelledby="${group}">
<h2 id="${group}">${texts[group]}</h2>
<div class="controls">
${controls.map((control) => renderForm(control, language, texts))}</div>
</section>
`;
}

const nameOf = ({method, path}: Control) => `${method} ${path}`;

function renderForm(control: Control, language: Language, texts: FrontPageTexts): Html {
  const {method, path, summary} = control;
  const form = CONTROL_FORMS[nameOf(control)];
  const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return html`<form class="control" data-method="${method}" data-path="${path}">
  <h3>${form?.[language]}</h3>
  <p class="quiet" lang="en"><code>${nameOf(control)}</code> ${summary}</p>
  ${form?.values && html`<p class="quiet">${form.values[language]}</p>`}
  ${parts.map((part) => html`<label>${part} <input name="${part}" autocomplete="off" required></label>`)}
  ${
    form?.body &&
    html`<label>${texts.body} <textarea name="body" rows="3" spellcheck="false">${JSON.stringify(form.body)}</textarea></label>`
  }
  <button${path === RESET_PATH && html` data-confirm="${texts.confirm}"`}>${method === 'GET' ? texts.show : texts.run}</button>
  <div role="status"><pre tabindex="0" hidden></pre></div>
</form>
`;
}
