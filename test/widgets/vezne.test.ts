/** The built script tag on merchants' pages, whose origin differs from the Worker's. */

import {expect} from '@open-wc/testing/pure';
import {PAYMENTS} from './stub-worker/answers.ts';
import {STRICT, inside, openPage, reload, strictPolicy} from './support/frame.ts';
import {find, record, text, until, untilText} from './support/page.ts';
import {chooseBank, press} from './support/shopper.ts';
import {TestWorker, origin} from './support/test-worker.ts';

const tag = (worker: TestWorker, query = '') =>
  `<script type="module" src="${worker.address}/vezne.js${query}"></script>`;

/** The names of the built files that a frame has fetched, without version and hash. */
function fetchedFiles(frame: HTMLIFrameElement): string[] {
  const entries = frame.contentWindow?.performance.getEntriesByType('resource') ?? [];
  return entries
    .map(
      ({name}) =>
        /\/(?:vezne\/[^/]+\/(?:all|transfer|subscription|vendor|activity)\/)?(vezne|[a-z-]+?)(?:-[\w-]{8})?\.js(?:[?#]|$)/.exec(
          name,
        )?.[1],
    )
    .filter((name) => name !== undefined)
    .sort();
}

describe('the script tag', () => {
  it('supports a whole payment under a strict Content-Security-Policy, and calls the Worker that serves it', async () => {
    const worker = await TestWorker.start();
    const frame = await openPage({
      policy: STRICT,
      head: tag(worker, '?from=a/b'),
      body: '<vezne-checkout offer="gold"></vezne-checkout>',
    });
    const violations: string[] = [];
    frame.contentDocument?.addEventListener('securitypolicyviolation', ({violatedDirective}) =>
      violations.push(violatedDirective),
    );
    const element = await inside(frame, 'vezne-checkout');
    const step = await until('the step', () => find(element, '.steps .reached'));
    const color = frame.contentWindow?.getComputedStyle(step).borderTopColor;
    expect(color).to.be.oneOf(['rgb(11, 100, 84)', 'rgb(98, 210, 182)']);
    await chooseBank(element, 'Toros');
    await untilText(element, 'Ödemenizi bekliyoruz');
    await worker.send(PAYMENTS.paid);
    await untilText(element, 'Ödemeniz alındı');
    expect(violations).to.deep.equal([]);
    expect(frame.contentDocument?.querySelectorAll('style, link')).to.have.length(0);
  });

  it('sets no cookie', async () => {
    const worker = await TestWorker.start();
    const frame = await openPage({
      head: tag(worker),
      body: '<vezne-checkout offer="gold"></vezne-checkout><vezne-activity offer="club"></vezne-activity>',
    });
    const checkout = await inside(frame, 'vezne-checkout');
    await chooseBank(checkout, 'Toros');
    await untilText(checkout, 'Ödemenizi bekliyoruz');
    expect(frame.contentDocument?.cookie).to.equal('');
  });

  it('fetches one file for the checkout, and the payment step’s files only for that step', async () => {
    const worker = await TestWorker.start();
    const frame = await openPage({head: tag(worker), body: '<vezne-checkout offer="gold"></vezne-checkout>'});
    await untilText(await inside(frame, 'vezne-checkout'), 'Ahşap masa lambası');
    expect(fetchedFiles(frame)).to.deep.equal(['checkout', 'vezne']);
    const element = await inside(frame, 'vezne-checkout');
    await chooseBank(element, 'Toros');
    await untilText(element, 'Ödemenizi bekliyoruz');
    await until('the file of the last card', () => fetchedFiles(frame).includes('outcome'));
    expect(fetchedFiles(frame)).to.deep.equal(['checkout', 'outcome', 'payment', 'vezne']);
  });

  it('fetches the file with the pay button and the payment notice when the shopper opens the notice', async () => {
    const worker = await TestWorker.start({
      payment: {
        ...PAYMENTS.waiting,
        notice: {at: '2026-11-21T15:42:00+03:00', bank: 'toros', amount: '149.90', sent: false},
      },
    });
    const body = '<vezne-payment-status offer="gold"></vezne-payment-status>';
    const frame = await openPage({head: tag(worker), body});
    const element = await inside(frame, 'vezne-payment-status');
    await untilText(element, 'Bildirimi tamamla');
    await until('the file of the last card', () => fetchedFiles(frame).includes('outcome'));
    expect(fetchedFiles(frame)).to.deep.equal(['checkout', 'outcome', 'payment', 'vezne']);
    await press(element, 'Bildirimi tamamla');
    await until('the form', () => find(element, 'form'));
    expect(fetchedFiles(frame)).to.deep.equal(['checkout', 'hosted', 'outcome', 'payment', 'vezne']);
  });

  it('requests the banks and the session once, while the elements are still loading', async () => {
    const worker = await TestWorker.start();
    const body = '<vezne-checkout offer="gold"></vezne-checkout>';
    const expected = [
      {operation: 'banks', authorization: null, body: null},
      {operation: 'session', authorization: null, body: {offer: 'gold'}},
    ];
    // This policy allows only the script itself, so the elements never load.
    await openPage({
      policy: `default-src 'none'; script-src ${worker.address}/vezne.js; connect-src ${origin}`,
      head: tag(worker),
      body,
    });
    await until('the requests', async () => (await worker.calls()).length === expected.length);
    expect(await worker.calls()).to.have.deep.members(expected);

    const other = await TestWorker.start();
    await untilText(await inside(await openPage({head: tag(other), body}), 'vezne-checkout'), 'Ahşap masa lambası');
    expect(await other.calls()).to.have.deep.members(expected);
  });

  it('requests no session for a bank list, or for a checkout whose session is saved', async () => {
    const worker = await TestWorker.start();
    const list = await openPage({head: tag(worker), body: '<vezne-bank-list offer="gold"></vezne-bank-list>'});
    await untilText(await inside(list, 'vezne-bank-list'), 'Toros');
    expect(await worker.calls('session')).to.deep.equal([]);

    const frame = await openPage({head: tag(worker), body: '<vezne-checkout offer="gold"></vezne-checkout>'});
    await untilText(await inside(frame, 'vezne-checkout'), 'Ahşap masa lambası');
    await reload(frame);
    await untilText(await inside(frame, 'vezne-checkout'), 'Ahşap masa lambası');
    expect(await worker.calls('session')).to.have.length(1);
  });

  it('fetches nothing for a page without elements, until an element is added', async () => {
    const worker = await TestWorker.start();
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

  it('defines elements inside other components if the page loads vezne.js#all', async () => {
    const worker = await TestWorker.start();
    const frame = await openPage({head: tag(worker, '#all'), body: '<div id="app"></div>'});
    const root = (await inside(frame, '#app')).attachShadow({mode: 'open'});
    root.innerHTML = '<vezne-checkout offer="gold"></vezne-checkout>';
    await untilText(root.firstElementChild as Element, 'Ahşap masa lambası');
    expect(fetchedFiles(frame)).to.deep.equal(['all', 'vezne']);
  });

  it('fetches one file for several kinds of elements, but a second file if a kind is added later', async () => {
    const worker = await TestWorker.start();
    const frame = await openPage({
      policy: strictPolicy('vezne-transfer', 'vezne-subscription'),
      head: tag(worker),
      body: '<vezne-bank-list lang="en"></vezne-bank-list>',
    });
    const violations: string[] = [];
    frame.contentDocument?.addEventListener('securitypolicyviolation', ({violatedDirective}) =>
      violations.push(violatedDirective),
    );
    await untilText(await inside(frame, 'vezne-bank-list'), 'Which bank will you pay from?');
    const page = frame.contentDocument as Document;
    page.body.append(Object.assign(page.createElement('vezne-pin-subscribe'), {lang: 'en'}));
    await until('the second element', async () => find(await inside(frame, 'vezne-pin-subscribe'), '.base'));
    expect(fetchedFiles(frame)).to.include.members(['checkout', 'pin-subscribe', 'vezne']);
    expect(violations).to.deep.equal([]);
    const both = await openPage({
      policy: strictPolicy('vezne-all'),
      head: tag(worker),
      body: '<vezne-bank-list lang="en"></vezne-bank-list><vezne-vendor-form lang="en"></vezne-vendor-form>',
    });
    await untilText(await inside(both, 'vezne-bank-list'), 'Which bank will you pay from?');
    expect(fetchedFiles(both)).to.include('all').and.not.include('checkout');
  });

  it('runs only once if a page loads it several times, even from different URLs or Workers', async () => {
    const [worker, other] = [await TestWorker.start(), await TestWorker.start()];
    const frame = await openPage({
      policy: STRICT,
      head: tag(worker) + tag(worker, '?again') + tag(other),
      body: '<vezne-checkout offer="gold"></vezne-checkout>',
    });
    const errors = record<Event>(frame.contentWindow as Window, 'error');
    const rejections = record<Event>(frame.contentWindow as Window, 'unhandledrejection');
    await untilText(await inside(frame, 'vezne-checkout'), 'Ahşap masa lambası');
    await until('all scripts', () => fetchedFiles(frame).filter((name) => name === 'vezne').length === 3);
    expect(fetchedFiles(frame)).to.deep.equal(['checkout', 'vezne', 'vezne', 'vezne']);
    expect(await other.calls()).to.deep.equal([]);
    expect([...errors, ...rejections]).to.deep.equal([]);
  });

  it('does not redefine an element that the page has defined', async () => {
    const worker = await TestWorker.start();
    const frame = await openPage({
      head: `<script>customElements.define('vezne-bank-list', class extends HTMLElement {})</script>${tag(worker)}`,
      body: '<vezne-bank-list></vezne-bank-list><vezne-payment-status offer="gold"></vezne-payment-status>',
    });
    await untilText(await inside(frame, 'vezne-payment-status'), 'Ödemenizi bekliyoruz');
    expect((await inside(frame, 'vezne-bank-list')).shadowRoot).to.equal(null);
  });

  it('leaves the page’s content in an element whose file cannot load, and dispatches vezne-error', async () => {
    const worker = await TestWorker.start();
    const frame = await openPage({
      // This policy allows only the script itself, so the elements never load.
      policy: `default-src 'none'; script-src ${worker.address}/vezne.js 'unsafe-inline'`,
      head: `<script>window.failures = []; document.addEventListener('vezne-error', ({code, retryable}) => failures.push([code, retryable]))</script>${tag(worker)}`,
      body: '<vezne-checkout offer="gold"><a href="/transfer">Hesap bilgileri</a></vezne-checkout>',
    });
    const failures = () => (frame.contentWindow as unknown as {failures: unknown[]}).failures;
    await until('the failure', () => failures().length > 0);
    expect(failures()).to.deep.equal([['network', true]]);
    expect(text(await inside(frame, 'vezne-checkout'))).to.equal('Hesap bilgileri');
  });

  it('works on a page that already has a copy of Lit and the Trusted Types policy `lit-html`', async () => {
    const worker = await TestWorker.start();
    const frame = await openPage({
      policy: strictPolicy('vezne-transfer', 'lit-html').replace('script-src', `script-src 'unsafe-inline'`),
      head: `<script>trustedTypes.createPolicy('lit-html', {createHTML: (text) => text})</script>${tag(worker)}`,
      body: '<vezne-checkout offer="gold"></vezne-checkout>',
    });
    await untilText(await inside(frame, 'vezne-checkout'), 'Ahşap masa lambası');
  });
});
