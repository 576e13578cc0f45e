// @ts-check
// A slow phone opens a checkout: how long until a bank can be chosen. The kit's page against a page written by hand with the same content,
// and against the bank-transfer component of another kit, in turns. One promise: median of the kit ≤ 1.5 × median of the page by hand.

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {buildSite} from '../../scripts/build/site.mjs';
import {freePort} from '../../scripts/lib/ports.mjs';
import {UserError} from '../../scripts/lib/repo.mjs';
import {workerVars, startSandbox, startWorker, waitForServer} from '../../scripts/lib/stack.mjs';
import {serveMerchant} from './support/merchant-server.mjs';
import {adyenPage, veznePage, staticPage} from './support/pages.mjs';
import {servePreflightProxy} from './support/preflight-proxy.mjs';
import {openPhone, slow4g} from './support/slow-phone.mjs';

const MOST_TIMES_STATIC = 1.5;

const scale = Number(process.env['VEZNE_BENCH_SCALE'] ?? 1);
const rounds = Math.max(3, Math.round(15 * scale));

/** @typedef {import('./support/slow-phone.mjs').Visit} Visit */
/** @typedef {{name: string, path: string, goal: import('./support/slow-phone.mjs').Goal, visits: Visit[]}} Page */

const folder = mkdtempSync(path.join(tmpdir(), 'vezne-bench-'));
/** @type {(() => Promise<void>)[]} */
const closing = [];
try {
  const site = path.join(folder, 'site');
  const [adyen] = await Promise.all([adyenPage(folder).catch(withoutPeer), buildSite(site)]);
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
  for (const files of [veznePage(worker.origin), staticPage(content), adyen]) if (files) merchant.add(files);
  const phone = await openPhone();
  closing.push(() => phone.close());

  const radios = {controls: '[type=radio]', count: content.banks.length};
  /** @type {Page} */
  const kit = {
    name: 'vezne-checkout',
    path: '/kit',
    goal: {hosts: ['vezne-checkout', 'vezne-bank-list'], ...radios},
    visits: [],
  };
  /** @type {Page} */
  const byHand = {name: 'static HTML', path: '/static', goal: {hosts: [], ...radios}, visits: []};
  /** @type {Page} */
  const other = {
    name: 'adyen-web',
    path: '/adyen',
    goal: {hosts: [], controls: '#bank-transfer :is(input, button)', count: 2},
    visits: [],
  };
  const pages = adyen ? [kit, byHand, other] : [kit, byHand];

  const [ours, theirs] = [
    await phone.visit(merchant.origin + kit.path, kit.goal),
    await phone.visit(merchant.origin + byHand.path, byHand.goal),
  ];
  if (ours.texts.join('\n') !== theirs.texts.join('\n'))
    throw new Error(`The pages say different things:\n${ours.texts.join('|')}\n${theirs.texts.join('|')}`);
  if (adyen) await phone.visit(merchant.origin + other.path, other.goal);

  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < pages.length; turn += 1) {
      const page = pages[(round + turn) % pages.length];
      if (page) page.visits.push(await phone.visit(merchant.origin + page.path, page.goal));
    }
  }

  const {cpuSlowdown, latencyMs, downKbps, upKbps} = slow4g;
  console.log(`${rounds} first visits of each page in turns, one of each before them; Chromium ${phone.version}`);
  console.log(
    `CPU ${cpuSlowdown} times slower, ${latencyMs} ms a request, ${downKbps} kbit/s down, ${upKbps} kbit/s up`,
  );
  reportPages(pages, byHand);
  reportRequests(kit, worker.origin);
  const ratio = usable(kit) / usable(byHand);
  if (ratio > MOST_TIMES_STATIC) {
    console.log(`\nBROKEN: ${ratio.toFixed(2)} times the page by hand, and at most ${MOST_TIMES_STATIC} is promised`);
    process.exitCode = 1;
  }
} finally {
  for (const close of closing.toReversed()) await close();
  rmSync(folder, {recursive: true, force: true});
}

/**
 * Without a network the bench goes on: what it promises does not need the other kit.
 * @param {unknown} error
 */
function withoutPeer(error) {
  if (!(error instanceof UserError)) throw error;
  console.log(`${error.message} adyen-web is left out of the comparison.`);
  return undefined;
}

/**
 * What the kit will show, for the page that shows the same.
 * @param {string} worker
 * @param {string} origin
 */
async function readContent(worker, origin) {
  const ask = async (/** @type {string} */ route, /** @type {RequestInit} */ init = {}) => {
    const response = await fetch(route, {...init, headers: {origin, 'content-type': 'application/json'}});
    if (!response.ok) throw new Error(`${route} answered ${response.status}`);
    return response;
  };
  /** @type {{banks: import('./support/pages.mjs').Bank[]}} */
  const {banks} = await (await ask(`${worker}/v1/banks`)).json();
  /** @type {import('./support/pages.mjs').Session} */
  const session = await (await ask(`${worker}/v1/sessions`, {method: 'POST', body: '{"offer":"gold"}'})).json();
  const logos = await Promise.all(
    banks.map(async ({logo}) => {
      const response = await ask(logo ?? '');
      return {type: response.headers.get('content-type') ?? '', body: Buffer.from(await response.arrayBuffer())};
    }),
  );
  return {session, banks, logos};
}

/**
 * @param {Page[]} pages
 * @param {Page} base
 */
function reportPages(pages, base) {
  console.log(
    'page             usable ms: median     least      most   × static   × static by pairs   requests, kB until usable    in all   chain',
  );
  for (const page of pages) {
    const times = page.visits.map((visit) => visit.usable).sort((a, b) => a - b);
    const pairs = page.visits.map((visit, round) => visit.usable / (base.visits[round]?.usable ?? 0));
    const before = page.visits.map(({loaded, usable: at}) => loaded.filter(({to}) => to > 0 && to <= at));
    const all = page.visits.map(({loaded}) => loaded);
    const cells = [
      page.name.padEnd(14),
      ms(usable(page)).padStart(20),
      ms(times[0] ?? 0).padStart(9),
      ms(times.at(-1) ?? 0).padStart(9),
      (usable(page) / usable(base)).toFixed(2).padStart(10),
      median(pairs).toFixed(2).padStart(19),
      `${median(before.map(({length}) => length))}, ${median(before.map(kb)).toFixed(1)}`.padStart(28),
      `${median(all.map(({length}) => length))}, ${median(all.map(kb)).toFixed(1)}`.padStart(9),
      String(median(before.map((loaded) => Math.max(...loaded.map(({depth}) => depth))))).padStart(7),
    ];
    console.log(cells.join(' '));
  }
}

/**
 * The requests of the visit in the middle.
 * @param {Page} page
 * @param {string} worker
 */
function reportRequests({name, visits}, worker) {
  const visit = visits.toSorted((a, b) => a.usable - b.usable)[Math.floor(visits.length / 2)];
  if (!visit) return;
  console.log(
    `\n${name}, its visit in the middle: first outlines after ${ms(visit.content)} ms, usable after ${ms(visit.usable)} ms`,
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

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
