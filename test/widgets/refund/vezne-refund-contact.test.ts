import {expect} from '@open-wc/testing/pure';
import {define} from '../../../widgets/core/define.ts';
import {type RefundEvent, VezneRefundContact} from '../../../widgets/refund/vezne-refund-contact.ts';
import {FEW_BANKS, refund} from '../stub-worker/answers.ts';
import type {Script} from '../stub-worker/script.ts';
import {FakeTime} from '../support/fake-time.ts';
import {announcements, find, focused, record, show, text, until, untilText} from '../support/page.ts';
import {clickOn, press, typeInto} from '../support/shopper.ts';
import {fillIn, IBAN} from '../support/states/refund.ts';
import {held} from '../support/states/state.ts';
import {TestWorker} from '../support/test-worker.ts';

define(VezneRefundContact);

const LINK = 'Zk3v0pW8bT1yQm6XcR9dLgu2HsAe4N';

async function open(script: Partial<Script> = {}, link = LINK) {
  const worker = await TestWorker.start(script);
  const element = document.createElement('vezne-refund-contact');
  const events = record<RefundEvent>(element, 'vezne-refund');
  show('<div></div>').append(element);
  for (const [name, value] of Object.entries({lang: 'en', api: worker.address, link}))
    element.setAttribute(name, value);
  return {worker, element, events};
}

const sent = async (worker: TestWorker) => (await worker.calls('refundContact')).map(({body}) => body);

describe('vezne-refund-contact', () => {
  it('says what comes back, asks where to, shows a summary, and sends it', async () => {
    const {worker, element, events} = await open({}, `https://pay.example/r/${LINK}?lang=en`);
    await untilText(element, 'Fener Atölyesi · Ceramic lamp');
    await fillIn(element, ' Deniz  Örnek ', 'İBAN: tr33 0006-1005 1978 6457 8413 26');
    await untilText(element, 'TR33 0006 1005 1978 6457 8413 26');
    await until('the focus on the title', () => focused()?.tagName === 'H2');
    expect(await sent(worker)).to.deep.equal([]);
    await press(element, 'Send my ₺50.00 refund');
    await untilText(element, 'business days');
    expect(text(element)).to.include('TR33 •••• 1326').and.not.include(IBAN);
    expect(await sent(worker)).to.deep.equal([{link: LINK, name: 'Deniz Örnek', iban: IBAN}]);
    expect((await worker.calls('refundLink')).map(({body}) => body)).to.deep.equal([{link: LINK}]);
    expect(events).to.have.length(1);
  });

  it('names the bank of the IBAN while the shopper types it, if the merchant has an account there', async () => {
    const {element} = await open();
    const bank = FEW_BANKS.at(-1);
    await until('the form', () => find(element, '#iban'));
    await typeInto(element, '#iban', (bank?.iban ?? '').slice(0, 9));
    await untilText(element, bank?.name ?? '');
    expect(announcements(element)).to.include(bank?.name);
  });

  it('focuses the first wrong field, groups a mistyped IBAN, and takes an error away when it is corrected', async () => {
    const {element} = await open();
    await clickOn(element, '[type=submit]');
    await untilText(element, 'Enter your IBAN.');
    await until('the focus on the field', () => focused()?.id === 'name');
    await fillIn(element, '', IBAN.replace(/6$/, '7'));
    await untilText(element, 'Check the digits.');
    expect(find<HTMLInputElement>(element, '#iban')?.value).to.equal('TR33 0006 1005 1978 6457 8413 27');
    await typeInto(element, '#name', 'Deniz Örnek');
    await until('no error', () => !text(element).includes('full name.'));
    expect(text(element)).to.include('Check the digits.');
  });

  it('keeps the details after a refusal and after an answer that did not come, to send them again', async () => {
    const {worker, element} = await open({refundContact: refund('refused')});
    await fillIn(element);
    await clickOn(element, '.buttons .button');
    await untilText(element, 'weren’t accepted');
    expect(find<HTMLInputElement>(element, '#name')?.value).to.equal('Deniz Örnek');
    await worker.script({refundContact: refund('sent'), faults: {refundContact: {kind: 'reset'}}});
    await clickOn(element, '[type=submit]');
    await clickOn(element, '.buttons .button');
    await untilText(element, 'the refund is made only once');
    await worker.script({faults: {}});
    await press(element, 'Try again');
    await untilText(element, 'business days');
    expect(new Set((await sent(worker)).map((body) => JSON.stringify(body))).size).to.equal(1);
  });

  it('says when the details can be sent again if the Worker is too busy, and waits until then', async () => {
    const busy = {kind: 'problem', code: 'rate_limited', retryAfter: 1} as const;
    const {worker, element} = await open({refundContact: refund('sent'), faults: {refundContact: busy}});
    await fillIn(element);
    await clickOn(element, '.buttons .button');
    await untilText(element, 'no money was sent. You can send them again in 1 second.');
    await press(element, 'Try again');
    expect(await sent(worker)).to.have.length(1);
    await untilText(element, 'no money was sent. Try again');
  });

  it('shows nothing of a link after the page has set another one', async () => {
    const {worker, element, events} = await open({refundContact: refund('sent'), faults: {refundContact: held}});
    await fillIn(element);
    await clickOn(element, '.buttons .button');
    await until('the request', async () => (await sent(worker)).length > 0);
    element.setAttribute('link', LINK.toLowerCase());
    await until('the form', () => find(element, 'form'));
    await worker.release();
    await fillIn(element, 'Deniz Örnek', IBAN);
    await press(element, 'Send my ₺50.00 refund');
    await untilText(element, 'business days');
    expect(events).to.have.length(1);
    expect((await sent(worker)).map((body) => (body as {link: string}).link)).to.deep.equal([LINK, LINK.toLowerCase()]);
  });

  it('asks for no outcome of a link after the page has set another one', async () => {
    const time = new FakeTime();
    try {
      const {worker, element, events} = await open({refundLink: refund('checking')});
      await until('the timer', () => time.delays.length > 0);
      await worker.script({refundLink: refund('sent'), faults: {refundLink: held}});
      time.elapse();
      await until('the check', async () => (await worker.calls('refundLink')).length === 2);
      element.setAttribute('link', LINK.toLowerCase());
      await until('the other link', async () => (await worker.calls('refundLink')).length === 3);
      await worker.release();
      await untilText(element, 'business days');
      expect(events).to.deep.equal([]);
    } finally {
      time.release();
    }
  });

  it('shows how a link ended, and how to reach the seller', async () => {
    const {element} = await open({refundLink: refund('used')});
    await untilText(element, 'contact Fener Atölyesi at once');
    expect(Boolean(find(element, 'a[href^="mailto:help@shop.example"]'))).to.equal(true);
    expect(Boolean(find(element, 'form'))).to.equal(false);
  });
});
