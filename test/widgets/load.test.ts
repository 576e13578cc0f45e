/** `loadVezne` of the package, on merchants' pages. */

import {expect} from '@open-wc/testing/pure';
import type {LoadedVezne, LoadOptions, VezneLoadError} from '../../package/load.ts';
import {fetchedFiles, inside, openPage} from './support/frame.ts';
import {until} from './support/page.ts';
import {origin, TestWorker} from './support/test-worker.ts';

type Load = (url: string, options?: LoadOptions) => Promise<LoadedVezne | null>;
type LoadingWindow = Window & {loadVezne?: Load};

const BODY = '<vezne-checkout offer="gold"></vezne-checkout>';
const HEAD = `<script type="module">import {loadVezne} from '/package/load.ts'; self.loadVezne = loadVezne;</script>`;
/** A policy that allows the page's own code, which the tests need, and what follows. */
const policyWith = (sources: string, more = '') =>
  `script-src 'self' 'unsafe-inline' ${sources}; connect-src *; style-src *; ${more}`;

/** Opens a page that can load elements. `load` resolves to what was loaded, or why nothing was. */
async function openShop(policy = '') {
  const frame = await openPage({head: HEAD, body: BODY, policy});
  const window = frame.contentWindow as LoadingWindow;
  const loadVezne = await until('loadVezne', () => window.loadVezne);
  const load = (...args: Parameters<Load>) =>
    loadVezne(...args).catch(({name, reason}: VezneLoadError) => `${name} ${reason}`);
  return {frame, load};
}

describe('loadVezne', () => {
  it('loads one script, however often it is called, and waits for the elements', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const {frame, load} = await openShop();
    const url = `${worker.address}/checkout.js?offer=gold`;
    const loaded = await Promise.all([load(url, {elements: ['vezne-payment-code']}), load(url), load(`${url}&again`)]);
    expect(loaded).to.deep.equal([{api: worker.address}, {api: worker.address}, {api: worker.address}]);
    const element = await inside(frame, 'vezne-checkout');
    expect(element.matches(':defined')).to.equal(true);
    expect((await worker.calls('pageScript')).length).to.equal(1);
  });

  it('loads further elements of a script that it has already loaded', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const {load} = await openShop();
    const url = `${worker.address}/checkout.js?offer=gold`;
    await load(url);
    expect(await load(url, {elements: ['vezne-pay-button']})).to.deep.equal({api: worker.address});
    expect((await worker.calls('pageScript')).length).to.equal(1);
  });

  it('loads vezne.js for the address of the Worker, with the elements that the page contains', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const {frame, load} = await openShop();
    expect(await load(`${worker.address}/`)).to.deep.equal({api: worker.address});
    await until('the element', () => frame.contentDocument?.querySelector('vezne-checkout:defined'));
  });

  it('tries once more, under another address, if the script does not load', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const {frame, load} = await openShop();
    const {head} = frame.contentDocument as Document;
    const added: string[] = [];
    head.append = (script: HTMLScriptElement) => {
      added.push(script.src.slice(worker.address.length));
      if (added.length === 1) script.src = `${worker.address}/missing.js`;
      head.appendChild(script);
    };
    expect(await load(`${worker.address}/checkout.js`)).to.deep.equal({api: worker.address});
    expect(added).to.deep.equal(['/checkout.js', '/checkout.js?retry=2']);
    expect(head.querySelectorAll('script[src]')).to.have.length(1);
  });

  it('says why after the second try, and tries again at the next call', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const {frame, load} = await openShop();
    const missing = `${worker.address}/missing.js`;
    expect(await load(missing)).to.equal('VezneLoadError network');
    expect(await load(missing)).to.equal('VezneLoadError network');
    expect(fetchedFiles(frame).filter((name) => name === 'missing')).to.have.length(4);
    const integrity = 'sha384-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
    expect(await load(`${worker.address}/checkout.js`, {integrity})).to.equal('VezneLoadError network');
  });

  it('says at once that the page’s policy blocks the script', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const {load} = await openShop(policyWith(''));
    expect(await load(`${worker.address}/checkout.js`)).to.equal('VezneLoadError blocked');
    const trusted = await openShop(
      policyWith(origin, `require-trusted-types-for 'script'; trusted-types vezne-transfer`),
    );
    expect(await trusted.load(`${worker.address}/checkout.js`)).to.equal('VezneLoadError blocked');
    expect(await worker.calls()).to.deep.equal([]);
  });

  it('loads under Trusted Types with its policy', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const types = `require-trusted-types-for 'script'; trusted-types vezne-loader vezne-transfer`;
    const trusted = await openShop(policyWith(origin, types));
    expect(await trusted.load(`${worker.address}/checkout.js`)).to.deep.equal({api: worker.address});
  });
});
