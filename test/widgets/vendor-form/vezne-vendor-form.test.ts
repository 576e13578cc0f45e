import {expect} from '@open-wc/testing/pure';
import {define} from '../../../widgets/core/define.ts';
import {type VendorEvent, VezneVendorForm} from '../../../widgets/vendor-form/vezne-vendor-form.ts';
import type {Script} from '../stub-worker/script.ts';
import {announcements, find, focused, record, show, until, untilText} from '../support/page.ts';
import {press} from '../support/shopper.ts';
import {TestWorker} from '../support/test-worker.ts';

define(VezneVendorForm);

const NONCE = '0123456789ABCDEFGHJKMNPQRS';
/** A form whose page runs a script. */
const scripted = (script: string) => ({
  nonce: NONCE,
  sandbox: 'allow-forms allow-scripts',
  url: `/page?${new URLSearchParams({body: `<p>Form</p><script>${script}</script>`})}`,
});
/** A form that posts a message to the page as soon as it opens. */
const form = (message: string) => scripted(`parent.postMessage(${message}, '*')`);

async function open(
  script: Partial<Script> = {},
): Promise<{worker: TestWorker; element: HTMLElement; events: VendorEvent[]}> {
  const worker = await TestWorker.startCrossOrigin(script);
  const element = document.createElement('vezne-vendor-form');
  const events = record<VendorEvent>(element, 'vezne-vendor');
  show('<div></div>').append(element);
  element.setAttribute('lang', 'en');
  element.setAttribute('session', 'vendor-session');
  element.setAttribute('api', worker.address);
  return {worker, element, events};
}

describe('vezne-vendor-form', () => {
  it('shows the form in a frame with the sandbox that the Worker names', async () => {
    const {element} = await open({vendorForm: form('"hello"')});
    const frame = await until('the frame', () => find<HTMLIFrameElement>(element, 'iframe:not(.visually-hidden)'));
    expect(frame.getAttribute('sandbox')).to.equal('allow-forms allow-scripts');
    expect(frame.title).to.equal('Vendor application form');
  });

  it('takes the outcome from the message of the return page in its frame', async () => {
    const {element, events} = await open({
      vendorForm: form(`{type: 'vezne-vendor', outcome: 'success', nonce: '${NONCE}'}`),
    });
    await untilText(element, 'We’ve received your application');
    expect(events.map(({outcome}) => outcome)).to.deep.equal(['success']);
  });

  it('moves the focus from the form to the title of the outcome, even if the form’s frame has navigated', async () => {
    const end = form(`{type: 'vezne-vendor', outcome: 'success', nonce: '${NONCE}'}`);
    const {element} = await open({
      vendorForm: scripted(`onmessage = () => location.assign(${JSON.stringify(end.url)})`),
    });
    const frame = await until('the form', () => find<HTMLIFrameElement>(element, 'iframe:not(.visually-hidden)'));
    frame.focus();
    expect(focused()).to.equal(frame);
    frame.contentWindow?.postMessage('end', '*');
    await untilText(element, 'We’ve received your application');
    await until('the focus on the title', () => focused() && focused() === find(element, 'h2'));
  });

  it('leaves the focus where it is if the vendor has moved it out of the form', async () => {
    const {element} = await open({
      vendorForm: scripted(
        `onmessage = () => parent.postMessage({type: 'vezne-vendor', outcome: 'success', nonce: '${NONCE}'}, '*')`,
      ),
    });
    const frame = await until('the form', () => find<HTMLIFrameElement>(element, 'iframe:not(.visually-hidden)'));
    frame.focus();
    element.insertAdjacentHTML('afterend', '<button>Elsewhere</button>');
    (element.nextElementSibling as HTMLElement).focus();
    frame.contentWindow?.postMessage('end', '*');
    await untilText(element, 'We’ve received your application');
    expect(focused()).to.equal(element.nextElementSibling);
    expect(announcements(element)).to.deep.equal(['We’ve received your application']);
  });

  it('opens the form again after a failure', async () => {
    const {worker, element} = await open({
      vendorForm: form(`{type: 'vezne-vendor', outcome: 'failure', nonce: '${NONCE}'}`),
    });
    await untilText(element, 'Your application wasn’t completed');
    await worker.script({vendorForm: form('"hello"')});
    await press(element, 'Open the form again');
    await until('the form', () => find(element, 'iframe'));
    expect(await worker.calls('vendorForm')).to.have.length(2);
  });

  const forgedMessages = [
    `'success'`,
    `{type: 'vezne-vendor'}`,
    `{type: 'vezne-vendor', outcome: 'paid', nonce: '${NONCE}'}`,
    `{type: 'vendor', outcome: 'success', nonce: '${NONCE}'}`,
    'null',
    // The message of the return page without the nonce, or with a wrong nonce.
    `{type: 'vezne-vendor', outcome: 'success'}`,
    `{type: 'vezne-vendor', outcome: 'success', nonce: '${NONCE.toLowerCase()}'}`,
  ];
  for (const message of forgedMessages) {
    it(`ignores the message ${message} from the frame`, async () => {
      const {element, events} = await open({vendorForm: form(message)});
      await until('the form', () => find(element, 'iframe:not(.visually-hidden)'));
      expect(events).to.deep.equal([]);
    });
  }

  it('ignores a message with the right nonce if the framed page has the origin of the merchant’s page', async () => {
    const vendorForm = form(`{type: 'vezne-vendor', outcome: 'success', nonce: '${NONCE}'}`);
    const received = record<MessageEvent>(window, 'message');
    const {element, events} = await open({
      vendorForm: {...vendorForm, sandbox: 'allow-forms allow-scripts allow-same-origin'},
    });
    await until('the form', () => find(element, 'iframe:not(.visually-hidden)'));
    await until('the message', () => received.length > 0);
    expect(received.map(({origin}) => origin)).to.deep.equal([location.origin]);
    expect(events).to.deep.equal([]);
  });

  it('takes the outcome from the return page even if the sandbox lets that page keep the Worker’s origin', async () => {
    const vendorForm = form(`{type: 'vezne-vendor', outcome: 'success', nonce: '${NONCE}'}`);
    const {element, events, worker} = await open({
      vendorForm: {...vendorForm, sandbox: 'allow-forms allow-scripts allow-same-origin'},
    });
    element.setAttribute('api', worker.address);
    expect(new URL(worker.address).origin).to.not.equal(location.origin);
    await until('the form', () => find(element, 'iframe:not(.visually-hidden)'));
    const message = {type: 'vezne-vendor', outcome: 'success', nonce: NONCE};
    const source = find<HTMLIFrameElement>(element, 'iframe')?.contentWindow ?? null;
    dispatchEvent(new MessageEvent('message', {source, origin: new URL(worker.address).origin, data: message}));
    await untilText(element, 'We’ve received your application');
    expect(events.map(({outcome}) => outcome)).to.deep.equal(['success']);
  });

  it('ignores messages from the page and from other frames', async () => {
    const {element, events} = await open({vendorForm: form('"hello"')});
    await until('the form', () => find(element, 'iframe:not(.visually-hidden)'));
    const received = record<MessageEvent>(window, 'message');
    postMessage({type: 'vezne-vendor', outcome: 'success', nonce: NONCE}, '*');
    const other = show<HTMLIFrameElement>(
      `<iframe src="${form(`{type: 'vezne-vendor', outcome: 'success', nonce: '${NONCE}'}`).url}"></iframe>`,
    );
    await until(
      'both messages',
      () => received.filter(({source}) => source === window || source === other.contentWindow).length >= 2,
    );
    expect(events).to.deep.equal([]);
  });

  const refusals = {
    session_expired:
      'This page has expired No application was sent this time. Reload the page, or start again on the marketplace’s site. Reload the page',
    rate_limited:
      'Please wait a moment Too many requests. We’ll try again in a moment. No application was sent this time.',
    origin_not_allowed:
      'Applications are unavailable here right now Make sure you’re on the marketplace’s own site. If you are, try again in a while. No application was sent this time. Try again',
    platform_refused:
      'We couldn’t open the form Try again. If it keeps happening, tell the marketplace. Error code: platform_refused. No application was sent this time. Try again',
  } as const;
  for (const [code, message] of Object.entries(refusals)) {
    it(`shows a message that is written for vendors, not for shoppers, after the error ${code}`, async () => {
      const {element} = await open({faults: {vendorForm: {kind: 'problem', code: code as keyof typeof refusals}}});
      await untilText(element, message);
    });
  }

  it('shows why there is no form, and lets the vendor retry', async () => {
    const {worker, element} = await open({faults: {vendorForm: {kind: 'problem', code: 'temporarily_unavailable'}}});
    await untilText(element, 'isn’t responding');
    await worker.script({vendorForm: form('"hello"'), faults: {}});
    await press(element, 'Try again');
    await until('the form', () => find(element, 'iframe'));
  });
});
