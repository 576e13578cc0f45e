import {expect} from '@open-wc/testing';
import '../../../widgets/bundles/vendor-form.ts';
import type {VendorEvent} from '../../../widgets/vendor-form/vezne-vendor-form.ts';
import type {Script} from '../stub-worker/script.ts';
import {find, focused, press, record, show, until, untilText} from '../support/page.ts';
import {TestWorker} from '../support/test-worker.ts';

/** A form that says it is done as soon as it is opened; or another thing. */
const NONCE = '0123456789ABCDEFGHJKMNPQRS';
const scripted = (script: string) => ({
  nonce: NONCE,
  url: `/page?${new URLSearchParams({body: `<p>Form</p><script>${script}</script>`})}`,
});
const form = (message: string) => scripted(`parent.postMessage(${message}, '*')`);

async function open(
  script: Partial<Script> = {},
): Promise<{worker: TestWorker; element: HTMLElement; events: VendorEvent[]}> {
  const worker = await TestWorker.start(script);
  const element = document.createElement('vezne-vendor-form');
  const events = record<VendorEvent>(element, 'vezne-vendor');
  show('<div></div>').append(element);
  element.setAttribute('lang', 'en');
  element.setAttribute('session', 'vendor-session');
  element.setAttribute('api', worker.address);
  return {worker, element, events};
}

describe('vezne-vendor-form', () => {
  it('shows the form in a frame that can neither read nor lead away', async () => {
    const {element} = await open({vendorForm: form('"hello"')});
    const frame = await until('the frame', () => find<HTMLIFrameElement>(element, 'iframe:not(.visually-hidden)'));
    expect(frame.getAttribute('sandbox')).to.equal('allow-forms allow-scripts');
    expect(frame.title).to.equal('Vendor registration form');
  });

  it('hears of the end from the return page in its frame', async () => {
    const {element, events} = await open({
      vendorForm: form(`{type: 'vezne-vendor', outcome: 'success', nonce: '${NONCE}'}`),
    });
    await untilText(element, 'You have sent the form');
    expect(events.map(({outcome}) => outcome)).to.deep.equal(['success']);
  });

  it('leads who was in the form to what is said of its end', async () => {
    const {element} = await open({
      vendorForm: scripted(
        `onmessage = () => parent.postMessage({type: 'vezne-vendor', outcome: 'success', nonce: '${NONCE}'}, '*')`,
      ),
    });
    const frame = await until('the form', () => find<HTMLIFrameElement>(element, 'iframe:not(.visually-hidden)'));
    frame.focus();
    expect(focused()).to.equal(frame);
    frame.contentWindow?.postMessage('end', '*');
    await untilText(element, 'You have sent the form');
    await until('its title', () => focused() && focused() === find(element, 'h3'));
  });

  it('opens the form again after a failure', async () => {
    const {worker, element} = await open({
      vendorForm: form(`{type: 'vezne-vendor', outcome: 'failure', nonce: '${NONCE}'}`),
    });
    await untilText(element, 'The registration was not completed');
    await worker.script({vendorForm: form('"hello"')});
    await press(element, 'Open the form again');
    await until('the form', () => find(element, 'iframe'));
    expect(await worker.calls('vendorForm')).to.have.length(2);
  });

  const lies = [
    `'success'`,
    `{type: 'vezne-vendor'}`,
    `{type: 'vezne-vendor', outcome: 'paid', nonce: '${NONCE}'}`,
    `{type: 'vendor', outcome: 'success', nonce: '${NONCE}'}`,
    'null',
    // What our page would say, but for what only its address carries.
    `{type: 'vezne-vendor', outcome: 'success'}`,
    `{type: 'vezne-vendor', outcome: 'success', nonce: '${NONCE.toLowerCase()}'}`,
  ];
  for (const lie of lies) {
    it(`does not listen to a frame that says ${lie}`, async () => {
      const {element, events} = await open({vendorForm: form(lie)});
      await until('the form', () => find(element, 'iframe:not(.visually-hidden)'));
      expect(events).to.deep.equal([]);
    });
  }

  it('does not listen to the page or to another frame', async () => {
    const {element, events} = await open({vendorForm: form('"hello"')});
    await until('the form', () => find(element, 'iframe:not(.visually-hidden)'));
    const heard = record<MessageEvent>(window, 'message');
    postMessage({type: 'vezne-vendor', outcome: 'success', nonce: NONCE}, '*');
    const other = show<HTMLIFrameElement>(
      `<iframe src="${form(`{type: 'vezne-vendor', outcome: 'success', nonce: '${NONCE}'}`).url}"></iframe>`,
    );
    await until(
      'both messages',
      () => heard.filter(({source}) => source === window || source === other.contentWindow).length >= 2,
    );
    expect(events).to.deep.equal([]);
  });

  const refusals = {
    session_expired:
      'The time for this registration is over Reload the page, or begin again on the marketplace’s site.',
    rate_limited: 'Too many attempts Wait a moment, then try again.',
    origin_not_allowed:
      'Nobody can register from this page right now Make sure you are on the marketplace’s own site. If you are, try again in a while. Try again',
    platform_refused:
      'The registration form could not be opened Reload the page; if it happens again give the marketplace the error code.',
  } as const;
  for (const [code, words] of Object.entries(refusals)) {
    it(`tells a vendor, and not a shopper, of ${code}`, async () => {
      const {element} = await open({faults: {vendorForm: {kind: 'problem', code: code as keyof typeof refusals}}});
      await untilText(element, words);
    });
  }

  it('says why there is no form, and a way on', async () => {
    const {worker, element} = await open({faults: {vendorForm: {kind: 'problem', code: 'temporarily_unavailable'}}});
    await untilText(element, 'does not answer right now');
    await worker.script({vendorForm: form('"hello"'), faults: {}});
    await press(element, 'Try again');
    await until('the form', () => find(element, 'iframe'));
  });
});
