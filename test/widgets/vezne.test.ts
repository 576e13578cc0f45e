/** The built `vezne.js` on merchants' pages, whose origin differs from the Worker's. */

import {expect} from '@open-wc/testing/pure';
import {PAYMENTS} from './stub-worker/answers.ts';
import {STRICT, fetchedFiles, inside, openPage, recordFaults} from './support/frame.ts';
import {find, text, until, untilText} from './support/page.ts';
import {chooseBank} from './support/shopper.ts';
import {TestWorker} from './support/test-worker.ts';

const tag = (worker: TestWorker, query = '') =>
  `<script type="module" src="${worker.address}/vezne.js${query}"></script>`;
const checkoutTag = (worker: TestWorker) => tag(worker).replace('vezne.js', 'checkout.js?offer=gold');

/** Records failures, and retries instead of starting them. */
const RECORD_FAILURES = `<script>window.failures = []; window.timers = []; setInterval = (run) => timers.push(run);
document.addEventListener('vezne-error', ({code, retryable}) => failures.push([code, retryable]))</script>`;
type FailingWindow = Window & {readonly failures: unknown[]; readonly timers: (() => void)[]};

describe('the script tag', () => {
  it('supports a whole payment under a strict Content-Security-Policy, without a cookie, and calls the Worker that serves it', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const frame = await openPage({
      policy: STRICT,
      head: tag(worker, '?from=a/b'),
      body: '<vezne-checkout offer="gold"></vezne-checkout><vezne-activity offer="club"></vezne-activity>',
    });
    const faults = recordFaults(frame);
    const element = await inside(frame, 'vezne-checkout');
    const step = await until('the step', () => find(element, '.steps .reached'));
    const color = frame.contentWindow?.getComputedStyle(step).borderTopColor;
    expect(color).to.be.oneOf(['rgb(11, 100, 84)', 'rgb(98, 210, 182)']);
    await chooseBank(element, 'Toros');
    await untilText(element, 'Ödemenizi bekliyoruz');
    await worker.send(PAYMENTS.paid);
    await untilText(element, 'Ödemeniz alındı');
    expect(faults).to.deep.equal([]);
    expect(frame.contentDocument?.querySelectorAll('style, link')).to.have.length(0);
    expect(frame.contentDocument?.cookie).to.equal('');
  });

  it('loads the script of a checkout with the data of its offer, and later files only when they are needed', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const frame = await openPage({head: tag(worker), body: '<vezne-checkout offer="gold"></vezne-checkout>'});
    const element = await inside(frame, 'vezne-checkout');
    await untilText(element, 'Ahşap masa lambası');
    expect((await worker.calls()).map(({operation}) => operation)).to.deep.equal(['pageScript']);
    await chooseBank(element, 'Toros');
    await untilText(element, 'Ödemenizi bekliyoruz');
    await until('the file of the last card', () => fetchedFiles(frame).includes('checkout/outcome'));
    expect(fetchedFiles(frame)).to.deep.equal([
      'checkout',
      'checkout/outcome',
      'checkout/payment',
      'checkout/payment-tr',
      'vezne',
    ]);
  });

  it('loads one script for two offers and a session of the merchant’s server; the API has what the script lacks', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const frame = await openPage({
      policy: STRICT,
      head: tag(worker),
      body: `<vezne-checkout session="a.b.merchant-made-9"></vezne-checkout><vezne-checkout offer="gold"></vezne-checkout>
        <vezne-checkout offer="mug"></vezne-checkout>`,
    });
    await inside(frame, 'vezne-checkout');
    for (const element of frame.contentDocument?.body.children ?? []) await untilText(element, 'Toros');
    expect(fetchedFiles(frame).filter((name) => !name.includes('/'))).to.deep.equal(['checkout', 'vezne']);
    // A list of banks does not wait for the session.
    await until('a session', async () => (await worker.calls('session')).length > 0);
    expect((await worker.calls('session')).map(({body}) => body)).to.deep.equal([{offer: 'mug'}]);
  });

  it('fetches nothing for a page without elements, until an element is added', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const frame = await openPage({
      head: tag(worker),
      body: '<template><section><vezne-bank-list lang="en"></vezne-bank-list></section></template><p>Shop</p>',
    });
    await until('the script', () => fetchedFiles(frame).includes('vezne'));
    expect(fetchedFiles(frame)).to.deep.equal(['vezne']);
    const page = frame.contentDocument as Document;
    const template = page.querySelector('template') as HTMLTemplateElement;
    page.body.append(page.importNode(template.content, true));
    await untilText(await inside(frame, 'vezne-bank-list'), 'Which bank will you pay from?');
  });

  for (const [title, heads] of [
    ['alone', (worker: TestWorker) => tag(worker, '?all')],
    ['after vezne.js', (worker: TestWorker) => tag(worker) + tag(worker, '?all')],
    ['before checkout.js', (worker: TestWorker) => tag(worker, '?all') + checkoutTag(worker)],
    ['after checkout.js', (worker: TestWorker) => checkoutTag(worker) + tag(worker, '?all')],
  ] as const)
    it(`defines elements inside other components if the page loads vezne.js?all ${title}`, async () => {
      const worker = await TestWorker.startCrossOrigin();
      const frame = await openPage({head: heads(worker), body: '<div id="app"></div>'});
      const root = (await inside(frame, '#app')).attachShadow({mode: 'open'});
      root.innerHTML =
        '<vezne-payment-status offer="gold"></vezne-payment-status><vezne-one-click offer="club"></vezne-one-click>';
      await untilText(root.firstElementChild as Element, 'Ödemenizi bekliyoruz');
      await until('the second element', () => find(root.lastElementChild as Element, '.base'));
    });

  it('loads one script for each kind of elements, also for a kind that the page adds later', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const body = '<vezne-bank-list lang="en"></vezne-bank-list><vezne-vendor-form lang="en"></vezne-vendor-form>';
    const frame = await openPage({policy: STRICT, head: tag(worker), body});
    const faults = recordFaults(frame);
    await untilText(await inside(frame, 'vezne-bank-list'), 'Which bank will you pay from?');
    await until('the form', async () => find(await inside(frame, 'vezne-vendor-form'), '.base'));
    expect(fetchedFiles(frame)).to.include.members(['checkout', 'vendor']).and.not.include('subscribe');
    const page = frame.contentDocument as Document;
    page.body.append(Object.assign(page.createElement('vezne-pin-subscribe'), {lang: 'en'}));
    await until('the third element', async () => find(await inside(frame, 'vezne-pin-subscribe'), '.base'));
    expect(faults).to.deep.equal([]);
  });

  it('runs only once if a page loads it several times, even from different URLs or Workers', async () => {
    const [worker, other] = [await TestWorker.startCrossOrigin(), await TestWorker.startCrossOrigin()];
    const frame = await openPage({
      policy: STRICT,
      head: tag(worker) + tag(worker, '?again') + tag(other),
      body: '<vezne-checkout offer="gold"></vezne-checkout>',
    });
    const faults = recordFaults(frame);
    await untilText(await inside(frame, 'vezne-checkout'), 'Ahşap masa lambası');
    await until('all scripts', () => fetchedFiles(frame).filter((name) => name === 'vezne').length === 3);
    expect(fetchedFiles(frame)).to.deep.equal(['checkout', 'vezne', 'vezne', 'vezne']);
    expect(await other.calls()).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
  });

  it('does not redefine an element that the page has defined', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const frame = await openPage({
      head: `<script>customElements.define('vezne-bank-list', class extends HTMLElement {})</script>${tag(worker)}`,
      body: '<vezne-bank-list></vezne-bank-list><vezne-payment-status offer="gold"></vezne-payment-status>',
    });
    await untilText(await inside(frame, 'vezne-payment-status'), 'Ödemenizi bekliyoruz');
    expect((await inside(frame, 'vezne-bank-list')).shadowRoot).to.equal(null);
  });

  it('leaves the page’s content in an element whose script does not load, and retries when the page is visible', async () => {
    const worker = await TestWorker.startCrossOrigin({notFound: 'checkout.js'});
    const frame = await openPage({
      head: RECORD_FAILURES + tag(worker),
      body: '<vezne-checkout offer="gold"><a href="/transfer">Hesap bilgileri</a></vezne-checkout>',
    });
    const page = frame.contentWindow as FailingWindow;
    await until('the failure', () => page.failures.length > 0);
    const element = await inside(frame, 'vezne-checkout');
    expect(text(element)).to.equal('Hesap bilgileri');
    Object.defineProperty(page.document, 'hidden', {value: true, configurable: true});
    for (const run of page.timers) run();
    Reflect.deleteProperty(page.document, 'hidden');
    await worker.script({notFound: null});
    for (const run of page.timers) run();
    await untilText(element, 'Ahşap masa lambası');
    expect(page.failures).to.deep.equal([['network', true]]);
    const addresses = page.performance.getEntriesByType('resource').map(({name}) => name);
    expect(addresses.filter((name) => name.includes('/checkout.js'))).to.deep.equal([
      `${worker.address}/checkout.js?offer=gold`,
      `${worker.address}/checkout.js?offer=gold&retry=2`,
    ]);
  });

  it('says that a file will never load if a deployment has removed it, and does not retry', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const frame = await openPage({head: RECORD_FAILURES + checkoutTag(worker)});
    await until('the script', () => fetchedFiles(frame).includes('checkout'));
    await worker.script({digest: 'newFiles'});
    const page = frame.contentWindow as FailingWindow;
    page.document.body.append(page.document.createElement('vezne-payment-status'));
    await until('the failure', () => page.failures.length > 0);
    expect(page.failures).to.deep.equal([['network', false]]);
    expect(page.timers).to.deep.equal([]);
  });

  it('works on a page that already has a copy of Lit and the Trusted Types policy `lit-html`', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const frame = await openPage({
      policy: `${STRICT} lit-html`.replace('script-src', `script-src 'unsafe-inline'`),
      head: `<script>trustedTypes.createPolicy('lit-html', {createHTML: (text) => text})</script>${tag(worker)}`,
      body: '<vezne-checkout offer="gold"></vezne-checkout>',
    });
    await untilText(await inside(frame, 'vezne-checkout'), 'Ahşap masa lambası');
  });
});
