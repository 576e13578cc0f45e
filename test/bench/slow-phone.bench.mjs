// @ts-check
// Measures two durations on a slow phone: from opening a checkout until the shopper can choose a bank, and from the tap
// on a bank to the order code. First opens these pages in turn: `<vezne-checkout>` with `checkout.js`, the same element
// with `vezne.js`, a static HTML page of the same content, and the bank-transfer component of adyen-web. Then opens
// `<vezne-pin-subscribe>` with `subscribe.js` and a static HTML page of the same content, in turn. Fails if a limit
// below is exceeded, if adyen-web is usable before `checkout.js`, or if the layout of our pages shifts.

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {freePort} from '../../cli/ports.mjs';
import {workerVars, startSandbox, startWorker, waitForServer} from '../../cli/servers.mjs';
import {buildSite} from '../../scripts/build/site.mjs';
import {UserError} from '../../scripts/lib/repo.mjs';
import {check, checkTime, isSmallest, median, scaled} from './support/bench.mjs';
import {serveMerchant} from './support/merchant-server.mjs';
import {adyenPage, staticPage, staticPinPage, veznePages} from './support/pages.mjs';
import {servePreflightProxy} from './support/preflight-proxy.mjs';
import {openPhone, slow4g} from './support/slow-phone.mjs';

/** The time until a page with `checkout.js` is usable, divided by the time of the static page, is at most this. */
const MAX_RATIO_TO_STATIC = 1.2;
/** The same ratio for a page with `subscribe.js`. */
const MAX_PIN_RATIO = 1.25;
/** Maximum time from the tap to the order code. */
const MAX_CODE_MS = 700;

/** In the smallest run, only the visits that compare the texts are measured. */
const rounds = scaled(15, 0);

/** @typedef {import('./support/slow-phone.mjs').Visit} Visit */
/** @typedef {{name: string, path: string, goal: import('./support/slow-phone.mjs').Goal, visits: Visit[]}} Page */

const folder = mkdtempSync(path.join(tmpdir(), 'vezne-bench-'));
/** @type {(() => Promise<void>)[]} */
const closing = [];
try {
  const builtSite = process.env['VEZNE_BUILT_SITE'];
  const site = builtSite ?? path.join(folder, 'site');
  // The smallest run judges no times, and only times are compared with adyen-web.
  const [adyen] = await Promise.all([
    isSmallest ? undefined : adyenPage(folder).catch(skipAdyen),
    builtSite ? undefined : buildSite(site),
  ]);
  const merchant = await serveMerchant();
  closing.push(() => merchant.stop());

  const [sandboxPort, workerPort] = [await freePort(), await freePort()];
  const sandbox = startSandbox({port: sandboxPort, persistTo: path.join(folder, 'sandbox')});
  closing.push(() => sandbox.end('SIGKILL'));
  await waitForServer(sandbox, 'The sandbox', `http://localhost:${sandboxPort}`);
  const wrangler = startWorker({
    port: workerPort,
    site,
    persistTo: path.join(folder, 'worker'),
    vars: workerVars(sandboxPort, [merchant.origin]),
  });
  closing.push(() => wrangler.end('SIGKILL'));
  await waitForServer(wrangler, 'The Worker', `http://localhost:${workerPort}/health`);
  const worker = await servePreflightProxy({to: workerPort, preflightMs: slow4g.latencyMs});
  closing.push(() => worker.stop());

  const content = await readContent(worker.origin, merchant.origin);
  for (const files of [veznePages(worker.origin), staticPage(content), staticPinPage(content.terms), adyen])
    if (files) merchant.add(files);
  const phone = await openPhone();
  closing.push(() => phone.close());

  const radios = {controls: '[type=radio]', count: content.banks.length};
  const hosts = ['vezne-checkout', 'vezne-bank-list'];
  const tap = {
    hosts,
    button: '[type=radio]',
    codeHosts: ['vezne-checkout', 'vezne-payment-code'],
    code: '.code',
  };
  const checkout = measuredPage('checkout.js', '/checkout', {hosts, ...radios, amount: '.amount', tap});
  const vezne = measuredPage('vezne.js', '/vezne', {hosts, ...radios, amount: '.amount', tap});
  const staticHtml = measuredPage('static HTML', '/static', {hosts: [], ...radios, amount: '.amount'});
  const adyenWeb = measuredPage('adyen-web', '/adyen', {
    hosts: [],
    controls: '#bank-transfer :is(input, button)',
    count: 2,
  });
  const operators = {controls: '[name=operator]', count: content.terms.operators.length, amount: '.price'};
  const subscribe = measuredPage('subscribe.js', '/subscribe', {hosts: ['vezne-pin-subscribe'], ...operators});
  const staticPin = measuredPage('static PIN page', '/static-pin', {hosts: [], ...operators});
  const groups = [
    [checkout, vezne, staticHtml, ...(adyen ? [adyenWeb] : [])],
    [subscribe, staticPin],
  ];

  // These visits warm up the servers and compare the texts of the pages.
  for (const pages of groups) {
    const texts = new Map();
    for (const page of pages) {
      const visit = await phone.visit(merchant.origin + page.path, page.goal);
      if (isSmallest) page.visits.push(visit);
      if (page !== adyenWeb) texts.set(page.name, visit.texts.join('\n'));
    }
    if (new Set(texts.values()).size > 1)
      throw new Error(`The pages show different texts:\n${[...texts].map((each) => each.join('\n')).join('\n\n')}`);
  }

  for (let round = 0; round < rounds; round += 1) {
    for (const pages of groups) {
      // Each round starts with a different page.
      for (let index = 0; index < pages.length; index += 1) {
        const next = pages[(round + index) % pages.length];
        if (next) next.visits.push(await phone.visit(merchant.origin + next.path, next.goal));
      }
    }
  }

  const {cpuSlowdown, latencyMs, downKbps, upKbps} = slow4g;
  console.log(
    `${checkout.visits.length} first visits of each page, alternately${isSmallest ? '' : ', after one visit that is not measured'}; Chromium ${phone.version}`,
  );
  console.log(
    `CPU ${cpuSlowdown} times slower, ${latencyMs} ms a request, ${downKbps} kbit/s down, ${upKbps} kbit/s up`,
  );
  reportPages(groups[0] ?? [], staticHtml);
  reportPages([subscribe, staticPin], staticPin);
  reportRequests(checkout, worker.origin);
  reportRequests(subscribe, worker.origin);
  const ratio = usable(checkout) / usable(staticHtml);
  const pinRatio = usable(subscribe) / usable(staticPin);
  const codeMs = median(checkout.visits.map(({code}) => code));
  const shift = Math.max(...[checkout, subscribe].flatMap(({visits}) => visits.map((visit) => visit.shift)));
  checkTime(
    `checkout.js: ${ratio.toFixed(2)} × static, at most ${MAX_RATIO_TO_STATIC} ×`,
    ratio <= MAX_RATIO_TO_STATIC,
  );
  if (adyen) checkTime('checkout.js is usable before adyen-web', usable(checkout) < usable(adyenWeb));
  checkTime(`subscribe.js: ${pinRatio.toFixed(2)} × static, at most ${MAX_PIN_RATIO} ×`, pinRatio <= MAX_PIN_RATIO);
  checkTime(`tap to code: ${ms(codeMs)} ms, at most ${MAX_CODE_MS} ms`, codeMs <= MAX_CODE_MS);
  check(`layout shift: ${shift}, must be 0`, shift === 0);
} finally {
  for (const close of closing.toReversed()) await close();
  rmSync(folder, {recursive: true, force: true});
}

/**
 * @param {string} name
 * @param {string} route
 * @param {import('./support/slow-phone.mjs').Goal} goal
 * @returns {Page}
 */
function measuredPage(name, route, goal) {
  return {name, path: route, goal, visits: []};
}

/**
 * Continues without adyen-web if it cannot be installed, for example without a network. The bench can pass without it.
 * @param {unknown} error
 */
function skipAdyen(error) {
  if (!(error instanceof UserError)) throw error;
  console.log(`${error.message} adyen-web is left out of the comparison.`);
  return undefined;
}

/**
 * Reads the content of the checkout from the Worker, for the static page.
 * @param {string} worker
 * @param {string} origin
 */
async function readContent(worker, origin) {
  const request = async (/** @type {string} */ route, /** @type {RequestInit} */ init = {}) => {
    const response = await fetch(route, {...init, headers: {origin, 'content-type': 'application/json'}});
    if (!response.ok) throw new Error(`${route} answered ${response.status}`);
    return response;
  };
  /** @type {{banks: import('./support/pages.mjs').Bank[]}} */
  const {banks} = await (await request(`${worker}/v1/banks`)).json();
  /** @type {import('./support/pages.mjs').Session} */
  const session = await (await request(`${worker}/v1/sessions`, {method: 'POST', body: '{"offer":"gold"}'})).json();
  /** @type {import('../../worker/contract/browser/subscription-answers.ts').SubscriptionTerms} */
  const terms = await (await request(`${worker}/v1/sessions`, {method: 'POST', body: '{"offer":"club"}'})).json();
  const logos = await Promise.all(
    banks.map(async ({logo}) => {
      const response = await request(logo ?? '');
      return {type: response.headers.get('content-type') ?? '', body: Buffer.from(await response.arrayBuffer())};
    }),
  );
  return {session, banks, terms, logos};
}

/**
 * @param {Page[]} pages
 * @param {Page} base
 */
function reportPages(pages, base) {
  console.log(
    'page             usable ms: median       min       max   × static   × static by pairs   amount ms   tap to code   shift   requests, kB until usable     total   chain',
  );
  for (const page of pages) {
    const times = page.visits.map((visit) => visit.usable).sort((a, b) => a - b);
    const pairs = page.visits.map((visit, round) => visit.usable / (base.visits[round]?.usable ?? 0));
    const before = page.visits.map(({loaded, usable: usableAt}) => loaded.filter(({to}) => to > 0 && to <= usableAt));
    const all = page.visits.map(({loaded}) => loaded);
    const cells = [
      page.name.padEnd(15),
      ms(usable(page)).padStart(20),
      ms(times[0] ?? 0).padStart(9),
      ms(times.at(-1) ?? 0).padStart(9),
      (usable(page) / usable(base)).toFixed(2).padStart(10),
      median(pairs).toFixed(2).padStart(19),
      ms(median(page.visits.map(({amount}) => amount))).padStart(11),
      ms(median(page.visits.map(({code}) => code))).padStart(13),
      Math.max(...page.visits.map(({shift}) => shift))
        .toFixed(3)
        .padStart(7),
      `${median(before.map(({length}) => length))}, ${median(before.map(kb)).toFixed(1)}`.padStart(28),
      `${median(all.map(({length}) => length))}, ${median(all.map(kb)).toFixed(1)}`.padStart(9),
      String(median(before.map((loaded) => Math.max(...loaded.map(({depth}) => depth))))).padStart(7),
    ];
    console.log(cells.join(' '));
  }
}

/**
 * Prints the requests of the visit with the median time.
 * @param {Page} page
 * @param {string} worker
 */
function reportRequests({name, visits}, worker) {
  const visit = visits.toSorted((a, b) => a.usable - b.usable)[Math.floor(visits.length / 2)];
  if (!visit) return;
  console.log(
    `\n${name}, the median visit: first content after ${ms(visit.content)} ms, usable after ${ms(visit.usable)} ms`,
  );
  console.log('chain   from ms     to ms    bytes   request');
  for (const {url, from, to, bytes, depth} of visit.loaded) {
    if (from > visit.usable) continue;
    console.log(
      [
        String(depth).padStart(5),
        ms(from).padStart(9),
        (to ? ms(to) : '…').padStart(9),
        String(bytes).padStart(8),
        `  ${url.replace(worker, '')}`,
      ].join(' '),
    );
  }
}

/** @param {import('./support/slow-phone.mjs').Loaded[]} loaded */
function kb(loaded) {
  return loaded.reduce((sum, {bytes}) => sum + bytes, 0) / 1000;
}

/** @param {Page} page */
function usable({visits}) {
  return median(visits.map((visit) => visit.usable));
}

/** @param {number} time */
function ms(time) {
  return time.toFixed(0);
}
