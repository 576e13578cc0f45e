// @ts-check
// The pages of a merchant that the slow-phone bench compares: pages with our elements, pages with static HTML of the
// same content, and a page with the bank-transfer component of adyen-web.

import {readFileSync, readdirSync} from 'node:fs';
import path from 'node:path';
import {build} from 'vite';
import {install} from '../../../scripts/lib/install.mjs';
import {repoPath} from '../../../scripts/lib/repo.mjs';
import {formatAmount} from '../../../widgets/core/format.ts';
import {checkoutMessages} from '../../../widgets/locales/checkout.ts';
import {pinSubscribeMessages} from '../../../widgets/locales/pin-subscribe.ts';
import {formatPrice} from '../../../widgets/subscription/price.ts';

const sources = repoPath('test', 'bench', 'support', 'pages');

/** @typedef {{type: string, body: string | Buffer}} File */
/** @typedef {Map<string, File>} Files By path. */
/** @typedef {import('../../../worker/contract/browser/answers.ts').Bank} Bank */
/** @typedef {import('../../../worker/contract/browser/answers.ts').NewPaymentSession} Session */

/**
 * @param {string} head
 * @param {string} body
 * @returns {File}
 */
const html = (head, body) => ({
  type: 'text/html; charset=utf-8',
  body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Checkout</title>
${head}
<h1>Checkout</h1>
${body}
`,
});

/**
 * The pages that a merchant writes: with `checkout.js`, with `vezne.js`, and with `subscribe.js`.
 * @param {string} worker
 * @returns {Files}
 */
export const veznePages = (worker) =>
  new Map(
    [
      ['/checkout', 'checkout.js?offer=gold', '<vezne-checkout offer="gold"></vezne-checkout>'],
      ['/vezne', 'vezne.js', '<vezne-checkout offer="gold"></vezne-checkout>'],
      ['/subscribe', 'subscribe.js?offer=club', '<vezne-pin-subscribe offer="club"></vezne-pin-subscribe>'],
    ].map(([route = '', script, element = '']) => [
      route,
      html(`<script type="module" src="${worker}/${script}"></script>`, element),
    ]),
  );

/**
 * The content of `<vezne-pin-subscribe>` as plain HTML with one style sheet and one script.
 * @param {import('../../../worker/contract/browser/subscription-answers.ts').SubscriptionTerms} terms
 * @returns {Files}
 */
export function staticPinPage({title, terms, price, period, operators, terms_url, privacy_url}) {
  const t = pinSubscribeMessages.en;
  const rows = operators.map(
    ({id, name}) => `<label class="operator"><input type="radio" name="operator" value="${id}">${name}</label>`,
  );
  const links = [
    [t.termsLink, terms_url],
    [t.privacyLink, privacy_url],
  ].map(([label, url]) => (url ? `<a class="link" href="${url}" target="_blank">${label}</a>` : ''));
  const body = `<section class="checkout pin">
<div class="offer"><h2>${title.en}</h2><p class="price"><span class="visually-hidden">${t.price}</span> ${formatPrice({price, period}, 'en')}</p><p class="muted">${terms.en}</p><p class="muted">${t.renews}</p><p>${links.join('')}</p></div>
<form novalidate>
<fieldset role="radiogroup" aria-labelledby="operator"><h3 id="operator">${t.operator}</h3><div class="operators">${rows.join('')}</div></fieldset>
<div class="field"><label for="number">${t.number}</label><input id="number" name="number" type="tel" autocomplete="tel" aria-describedby="number-hint"><p id="number-hint" class="muted">${t.numberHint}</p></div>
<div class="field"><label class="consent"><input type="checkbox" name="consent"><span>${t.consent}</span></label></div>
<button type="submit" class="button">${t.sendPin}</button>
</form>
</section>`;
  return new Map([
    [
      '/static-pin',
      html('<link rel="stylesheet" href="/pin.css">\n<script type="module" src="/pin.js"></script>', body),
    ],
    ['/pin.css', styleSheet('pin.css')],
    ['/pin.js', {type: 'text/javascript; charset=utf-8', body: source('pin.js')}],
  ]);
}

/**
 * The content of `<vezne-checkout>` as plain HTML with one style sheet, one script and the logos, all from the
 * merchant's own server.
 * @param {{session: Session, banks: readonly Bank[], logos: readonly File[]}} content
 * @returns {Files}
 */
export function staticPage({session, banks, logos}) {
  const rows = banks.map(
    ({code, name}) =>
      `<label class="bank"><span class="tile" aria-hidden="true">${initials(name)}<img src="/logos/${code}" alt="" width="40" height="40" loading="lazy"></span> <span class="name">${name}</span> <input type="radio" name="bank" value="${code}"></label>`,
  );
  const body = `<section class="checkout">
<div class="header"><h2>${session.title.en}</h2> <p class="amount"><span class="visually-hidden">${checkoutMessages.en.stepPay}</span> ${formatAmount(session.amount, 'en')}</p></div>
<ol class="steps" aria-label="${checkoutMessages.en.steps}"><li aria-current="step">${checkoutMessages.en.stepBank}</li><li>${checkoutMessages.en.stepPay}</li><li>${checkoutMessages.en.stepDone}</li></ol>
<div class="body">
<fieldset role="radiogroup" aria-labelledby="question">
<h3 id="question">${checkoutMessages.en.bankQuestion}</h3>
<div class="search"><svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="11" cy="11" r="7"/><path d="m16.5 16.5 4.5 4.5"/></svg><input type="search" autocomplete="off" aria-label="${checkoutMessages.en.bankSearch}" placeholder="${checkoutMessages.en.bankSearch}"></div>
${rows.join('\n')}
<button type="button" class="bank"><span class="name">${checkoutMessages.en.bankMissing}<small>${checkoutMessages.en.bankMissingText}</small></span></button>
</fieldset>
</div>
</section>`;
  return new Map([
    [
      '/static',
      html('<link rel="stylesheet" href="/banks.css">\n<script type="module" src="/banks.js"></script>', body),
    ],
    ['/banks.css', styleSheet('banks.css')],
    ['/banks.js', {type: 'text/javascript; charset=utf-8', body: source('banks.js')}],
    ...banks.flatMap(({code}, index) => {
      const logo = logos[index];
      return logo ? [/** @type {const} */ ([`/logos/${code}`, logo])] : [];
    }),
  ]);
}

/**
 * The adyen-web page (`peer/adyen.html`), bundled for production. Its package is installed on first use.
 * @param {string} folder
 * @returns {Promise<Files>}
 * @throws {UserError} if the package cannot be installed, for example without a network.
 */
export async function adyenPage(folder) {
  const peer = repoPath('test', 'bench', 'peer');
  install(peer);
  const outDir = path.join(folder, 'adyen');
  await build({
    configFile: false,
    root: peer,
    logLevel: 'error',
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      reportCompressedSize: false,
      rolldownOptions: {input: path.join(peer, 'adyen.html')},
    },
  });
  const assets = readdirSync(path.join(outDir, 'assets')).map((file) => {
    const type = file.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
    return /** @type {const} */ ([`/assets/${file}`, {type, body: readFileSync(path.join(outDir, 'assets', file))}]);
  });
  return new Map([
    ['/adyen', {type: 'text/html; charset=utf-8', body: readFileSync(path.join(outDir, 'adyen.html'))}],
    ...assets,
  ]);
}

/** @param {string} name */
const source = (name) => readFileSync(path.join(sources, name));

/**
 * The style sheet of a static page: one file, because a merchant's page would not load two.
 * @param {string} name
 * @returns {File}
 */
const styleSheet = (name) => ({
  type: 'text/css; charset=utf-8',
  body: Buffer.concat([source('base.css'), source(name)]),
});

/** @param {string} name */
const initials = (name) =>
  name
    .split(/[^\p{L}\p{N}]+/u)
    .slice(0, 2)
    .map((word) => word.charAt(0))
    .join('')
    .toLocaleUpperCase('tr');
