/** Tests the form that asks who buys, in the elements that show it. */

import {expect} from '@open-wc/testing/pure';
import {sendKeys} from '@web/test-runner-commands';
import '../../../../widgets/bundles/hosted.ts';
import {SCRIPT_TAG} from '../../../../widgets/core/script-tag.ts';
import type {RedirectEvent} from '../../../../widgets/transfer/pay-button/hosted-pages.ts';
import {tokenSuffix} from '../../../../widgets/transfer/purchase/saved-order.ts';
import type {BuyerForm} from '../../../../worker/contract/buyer.ts';
import {BUYER_FORM, PAYMENTS, session} from '../../stub-worker/answers.ts';
import type {Operation, Script} from '../../stub-worker/script.ts';
import {SCRIPT, inside, openPage, reload} from '../../support/frame.ts';
import {announcements, find, findAll, focused, record, show, text, until, untilText} from '../../support/page.ts';
import {chooseBank, clickOn, press, typeInto} from '../../support/shopper.ts';
import {fillIn} from '../../support/states/buyer.ts';
import {TestWorker} from '../../support/test-worker.ts';

const {privacy_url, seller} = BUYER_FORM;
const SHORT: BuyerForm = {email: 'required', privacy_url, seller, version: '2'};
const CODE = 'Enter only this as the description';

const start = (script: Partial<Script> = {}) => TestWorker.start({buyerForm: SHORT, ...script});
const element = (worker: TestWorker, tag = 'vezne-checkout', attributes = 'offer="gold"') =>
  `<${tag} api="${worker.address}" ${attributes} lang="en"></${tag}>`;
const form = (within: Element) => find<HTMLFormElement>(within, 'form');
const untilForm = (within: Element) => until('the form', () => form(within));

async function openForm(worker: TestWorker): Promise<HTMLElement> {
  const checkout = show(element(worker));
  await chooseBank(checkout, 'Toros');
  await untilForm(checkout);
  return checkout;
}

/** Types an e-mail address, and submits the form. */
async function answer(within: Element, email = 'deniz@shop.example'): Promise<void> {
  await typeInto(within, '[name=email]', email);
  await press(within, 'Continue');
}

/** What each request for a code said of the buyer. */
async function sentBuyers(worker: TestWorker, operation: Operation = 'code'): Promise<unknown[]> {
  return (await worker.calls(operation)).map(({body}) => (body as {buyer?: unknown}).buyer);
}

/** What the tab keeps of the buyers of a Worker. */
const kept = ({address}: TestWorker, storage = sessionStorage) =>
  Object.entries(storage).flatMap(([key, value]) => (key.includes(address) && key.endsWith(' buyer') ? [value] : []));

/** What the tab keeps when the order has its buyer: which order it is. */
const KEPT = JSON.stringify({of: tokenSuffix(session().token)});
const DENIZ = {email: 'deniz@shop.example', form: '2', language: 'en'};

beforeEach(() => sessionStorage.clear());

describe('the form of the buyer', () => {
  it('stands between the bank and the code, asks for no code before, and forgets what was typed when the code is there', async () => {
    const worker = await start({buyerForm: BUYER_FORM});
    const checkout = show(element(worker));
    const errors = record(checkout, 'vezne-error');
    await chooseBank(checkout, 'Toros');
    await untilForm(checkout);
    expect(await worker.calls('code')).to.deep.equal([]);
    expect(findAll<HTMLInputElement>(checkout, ':checked:not(option)')).to.deep.equal([]);
    await fillIn(checkout);
    expect(find<HTMLInputElement>(checkout, "[name='address.province']")?.value).to.equal('İstanbul');
    await clickOn(checkout, "[name='own.contract']");
    expect(kept(worker).join()).to.contain('Çiçek Sokak');
    await press(checkout, 'Continue');
    await untilText(checkout, CODE);
    expect(await sentBuyers(worker)).to.deep.equal([
      {
        name: 'Deniz Örnek',
        email: 'deniz@shop.example',
        address: {line: 'Çiçek Sokak 7/3', district: 'Kadıköy', province: 'İstanbul'},
        own: {color: 'oak', contract: true},
        marketing: false,
        form: '1',
        language: 'en',
      },
    ]);
    expect(kept(worker)).to.deep.equal([KEPT]);
    expect(JSON.stringify({...localStorage})).to.not.contain('deniz@');
    expect(errors).to.deep.equal([]);
  });

  it('names the seller, the privacy notice and the terms before its first field, and opens links in a new tab', async () => {
    const checkout = await openForm(await start({buyerForm: BUYER_FORM}));
    const fields = await untilForm(checkout);
    const before = text(fields).slice(0, text(fields).indexOf('Full name'));
    expect(before).to.contain('Seller: Fener Atölyesi');
    const links = findAll<HTMLAnchorElement>(fields, 'a');
    expect(links.map(({href, target, rel, textContent}) => [href, target, rel, textContent?.trim()])).to.deep.equal(
      [
        ['privacy', 'Privacy notice'],
        ['terms', 'Terms of sale'],
        ['info', 'Preliminary information'],
        ['contract', 'Distance sales contract'],
      ].map(([page, label]) => [`https://shop.example/${page}`, '_blank', 'noopener', `${label}, opens in a new tab`]),
    );
    expect(before).to.contain('Privacy notice').and.to.contain('Terms of sale');
  });

  it('is filled in by the browser: each field says what belongs there', async () => {
    const checkout = await openForm(await start({buyerForm: BUYER_FORM}));
    const fields = findAll<HTMLInputElement>(checkout, '[autocomplete]:not([autocomplete=off])');
    expect(fields.map(({name, type, autocomplete, inputMode}) => [name, type, autocomplete, inputMode])).to.deep.equal([
      ['name', 'text', 'name', ''],
      ['email', 'email', 'email', 'email'],
      ['phone', 'tel', 'tel', 'tel'],
      ['address.line', 'textarea', 'street-address', ''],
      ['address.province', 'text', 'address-level1', ''],
      ['address.district', 'text', 'address-level2', ''],
      ['address.postal_code', 'text', 'postal-code', 'numeric'],
    ]);
    for (const field of findAll(checkout, 'input:not([type=checkbox]), select, textarea'))
      expect(Number.parseFloat(getComputedStyle(field).fontSize), field.outerHTML).to.be.at.least(16);
  });

  it('checks a field when the shopper leaves it, then with each key, and reads the error out once', async () => {
    const checkout = await openForm(await start());
    await clickOn(checkout, '[name=email]');
    find(checkout, '[name=email]')?.focus();
    await sendKeys({type: 'deniz@'});
    const error = find(checkout, '#email-error');
    expect(error?.textContent).to.equal('');
    await sendKeys({press: 'Tab'});
    await until('the error', () => error?.textContent?.startsWith('Check the e\u2011mail address.'));
    const input = find<HTMLInputElement>(checkout, '[name=email]');
    expect(input?.getAttribute('aria-describedby')).to.contain('email-error');
    expect(input?.getAttribute('aria-invalid')).to.equal('true');
    expect(announcements(checkout)).to.deep.equal([error?.textContent]);
    input?.focus();
    await sendKeys({press: 'End'});
    await sendKeys({type: 'shop.example'});
    await until('no error', () => error?.textContent === '');
    expect(input?.hasAttribute('aria-invalid')).to.equal(false);
  });

  it('goes to the first wrong field if it is submitted with Enter, and says how many are wrong', async () => {
    const worker = await start({buyerForm: BUYER_FORM});
    const checkout = await openForm(worker);
    await typeInto(checkout, '[name=name]', 'Deniz Örnek');
    find(checkout, '[name=name]')?.focus();
    await sendKeys({press: 'Enter'});
    await until('the focus', () => (focused() as HTMLInputElement | null)?.name === 'email');
    expect(announcements(checkout)).to.contain('There are 6 fields to correct.');
    expect(await worker.calls('code')).to.deep.equal([]);
  });

  it('gets the focus after the shopper has chosen a bank, and gives it to the code', async () => {
    const worker = await start();
    const checkout = await openForm(worker);
    await until('the focus', () => focused()?.textContent === 'Your details');
    await answer(checkout);
    await until('the focus', () => focused()?.matches('.step-title'));
  });

  it('keeps what was typed over a change of the language and a reload, and asks no more once the code is there', async () => {
    const worker = await start();
    const frame = await openPage({head: SCRIPT, body: element(worker)});
    let checkout = await inside(frame, 'vezne-checkout');
    await chooseBank(checkout, 'Toros');
    await untilForm(checkout);
    await typeInto(checkout, '[name=email]', 'deniz@shop.example');
    checkout.lang = 'tr';
    await untilText(checkout, 'Bilgileriniz');
    expect(find<HTMLInputElement>(checkout, '[name=email]')?.value).to.equal('deniz@shop.example');
    await reload(frame);
    checkout = await inside(frame, 'vezne-checkout');
    await untilForm(checkout);
    expect(find<HTMLInputElement>(checkout, '[name=email]')?.value).to.equal('deniz@shop.example');
    expect(announcements(checkout)).to.deep.equal([]);
    await press(checkout, 'Continue');
    await untilText(checkout, CODE);
    await reload(frame);
    checkout = await inside(frame, 'vezne-checkout');
    await untilText(checkout, CODE);
    expect(form(checkout)).to.equal(undefined);
    expect(kept(worker)).to.deep.equal([KEPT]);
  });

  it('sends the same answer again after a reload or a lost answer, and does not ask again', async () => {
    const worker = await start();
    const frame = await openPage({head: SCRIPT, body: element(worker)});
    let checkout = await inside(frame, 'vezne-checkout');
    await chooseBank(checkout, 'Toros');
    await untilForm(checkout);
    await worker.fault('code', {kind: 'reset'});
    await answer(checkout);
    await untilText(checkout, 'Try again');
    expect(form(checkout)).to.equal(undefined);
    await worker.fault('code');
    await reload(frame);
    checkout = await inside(frame, 'vezne-checkout');
    await untilText(checkout, CODE);
    const sent = await sentBuyers(worker);
    expect(sent.length).to.be.greaterThan(1);
    for (const buyer of sent) expect(buyer).to.deep.equal(DENIZ);
    expect(kept(worker)).to.deep.equal([KEPT]);
  });

  it('shows what the Worker does not accept, as the Worker asks for it now, with what was typed', async () => {
    const worker = await start();
    const checkout = await openForm(worker);
    await worker.script({buyerForm: {...SHORT, name: 'required'}});
    await answer(checkout);
    await until('the new field', () => find(checkout, '[name=name]'));
    await untilText(checkout, 'Enter your full name.');
    expect(find<HTMLInputElement>(checkout, '[name=email]')?.value).to.equal('deniz@shop.example');
    await typeInto(checkout, '[name=name]', 'Deniz Örnek');
    await press(checkout, 'Continue');
    await untilText(checkout, CODE);
    expect(await sentBuyers(worker)).to.deep.equal([DENIZ, {...DENIZ, name: 'Deniz Örnek'}]);
  });

  it('is read anew if it has other words than the shopper saw: what was typed stays, and no tick', async () => {
    const worker = await start({buyerForm: BUYER_FORM});
    const checkout = await openForm(worker);
    await fillIn(checkout);
    for (const name of ['own.contract', 'marketing']) await clickOn(checkout, `[name='${name}']`);
    const {phone: _, ...others} = BUYER_FORM;
    const changed: BuyerForm = {...others, marketing: {tr: 'Haberler', en: 'News of all our shops'}, version: '3'};
    await worker.script({buyerForm: changed});
    await press(checkout, 'Continue');
    await untilText(checkout, 'News of all our shops');
    expect(text(checkout)).to.contain('The seller has changed this form. Check it, and continue.');
    expect(announcements(checkout)).to.deep.equal(['The seller has changed this form. Check it, and continue.']);
    expect(find(checkout, '[name=phone]')).to.equal(undefined);
    expect(find<HTMLInputElement>(checkout, '[name=name]')?.value).to.equal('Deniz Örnek');
    expect(findAll(checkout, ':checked:not(option)')).to.deep.equal([]);
    await clickOn(checkout, "[name='own.contract']");
    await press(checkout, 'Continue');
    await untilText(checkout, CODE);
    const [first, second] = (await sentBuyers(worker)) as readonly {
      readonly form: string;
      readonly marketing: boolean;
    }[];
    expect([first?.form, first?.marketing, second?.form, second?.marketing]).to.deep.equal(['1', true, '3', false]);
  });

  for (const presence of ['required', 'optional'] as const) {
    it(`asks again for the next order of the tab, if its fields are ${presence}`, async () => {
      const worker = await start({buyerForm: {...SHORT, email: presence}});
      const checkout = await openForm(worker);
      await answer(checkout);
      await untilText(checkout, CODE);
      await worker.send(PAYMENTS.paid);
      await untilText(checkout, 'Place another order');
      await worker.script({session: session({token: 'pay.session-2'})});
      await press(checkout, 'Place another order');
      await chooseBank(checkout, 'Toros');
      await untilForm(checkout);
      expect(find<HTMLInputElement>(checkout, '[name=email]')?.value).to.equal('');
      await worker.script({payment: PAYMENTS.waiting});
      await answer(checkout, 'ayse@shop.example');
      await untilText(checkout, CODE);
      expect(await sentBuyers(worker)).to.deep.equal([DENIZ, {...DENIZ, email: 'ayse@shop.example'}]);
    });
  }

  it('is found at the Worker for a session of the merchant’s server, and for an element without a bank', async () => {
    const worker = await start();
    const code = show(element(worker, 'vezne-payment-code', 'session="shop-session-1"'));
    await untilForm(code);
    expect(focused()).to.equal(document.body);
    expect(announcements(code)).to.deep.equal([]);
    await answer(code);
    await untilText(code, CODE);
    expect(await sentBuyers(worker)).to.deep.equal([undefined, DENIZ]);
  });

  it('is followed by the human check, which sends the answer again', async () => {
    const worker = await start({
      session: session({human_check: {sitekey: '1x', action: 'order'}}),
      faults: {code: {kind: 'problem', code: 'human_check_required'}},
    });
    const checkout = await openForm(worker);
    await answer(checkout);
    await untilText(checkout, 'Please confirm you’re human');
    expect(form(checkout)).to.equal(undefined);
    expect(kept(worker).join()).to.contain('deniz@');
  });

  it('goes when another tab has got the code', async () => {
    const worker = await start();
    const checkout = await openForm(worker);
    await worker.script({buyerForm: null});
    expect(await worker.calls('code')).to.deep.equal([]);
    await worker.send(PAYMENTS.waiting);
    await untilText(checkout, CODE);
    expect(form(checkout)).to.equal(undefined);
  });

  it('says that the price has changed since the page was loaded', async () => {
    const worker = await start({session: session({amount: '169.90'})});
    Object.assign(globalThis, {
      [SCRIPT_TAG]: {
        api: `${worker.address}/`,
        scripts: new Map(),
        offer: {...session(), id: 'gold', amount: '149.90', currency: 'TRY', buyer_form: SHORT},
      },
    });
    const checkout = await openForm(worker);
    Reflect.deleteProperty(globalThis, SCRIPT_TAG);
    await untilText(checkout, 'The price is now ₺169.90.');
    expect(await worker.calls('order')).to.deep.equal([]);
  });

  it('is shown once on a page with several elements, and leads all of them to the code', async () => {
    const worker = await start();
    const page = show(`<div>${element(worker, 'vezne-payment-code')}${element(worker, 'vezne-payment-code')}</div>`);
    await untilForm(page);
    await untilText(page, 'Fill in your details');
    expect(findAll(page, 'form')).to.have.length(1);
    await press(page, 'Fill in your details');
    expect(focused()?.textContent).to.equal('Your details');
    await answer(page);
    await until('two codes', () => findAll(page, '.slip').length === 2);
    expect(await sentBuyers(worker)).to.deep.equal([DENIZ]);
  });

  it('keeps its field and its focus when a framework replaces the attributes of the element', async () => {
    const worker = await start();
    const checkout = await openForm(worker);
    const field = await until('the field', () => find<HTMLInputElement>(checkout, '[name=email]'));
    field.focus();
    await sendKeys({type: 'deniz'});
    checkout.setAttribute('offer', 'gold');
    checkout.setAttribute('theme', 'dark');
    await sendKeys({type: '@shop.example'});
    expect(focused()).to.equal(field);
    expect(field.value).to.equal('deniz@shop.example');
  });

  for (const [via, operation] of [
    ['bank-page', 'bankPage'],
    ['payment-page', 'paymentPage'],
  ] as const) {
    it(`is in place of the pay button before the platform’s ${via}`, async () => {
      const worker = await start();
      const pay = show(element(worker, 'vezne-pay-button', `offer="gold" via="${via}"`));
      pay.addEventListener('vezne-redirect', (event) => event.preventDefault());
      const redirects = record<RedirectEvent>(pay, 'vezne-redirect');
      await clickOn(pay, 'button');
      await untilForm(pay);
      expect(findAll(pay, 'button').map((each) => text(each))).to.deep.equal(['Continue']);
      expect(await worker.calls(operation)).to.deep.equal([]);
      await answer(pay);
      await until('the redirect', () => redirects.length > 0);
      expect(await sentBuyers(worker, operation)).to.deep.equal([DENIZ]);
      expect(kept(worker)).to.deep.equal([KEPT]);
      await clickOn(pay, 'button');
      await until('the second redirect', () => redirects.length > 1);
    });
  }

  it('moves to the pay button that the shopper has pressed last', async () => {
    const worker = await start();
    const page = show(
      `<div>${['bank-page', 'payment-page'].map((via) => element(worker, 'vezne-pay-button', `offer="gold" via="${via}"`)).join('')}</div>`,
    );
    const redirects = record<RedirectEvent>(page, 'vezne-redirect');
    page.addEventListener('vezne-redirect', (event) => event.preventDefault());
    const [first, second] = Array.from(page.children) as [HTMLElement, HTMLElement];
    await clickOn(first, 'button');
    await untilForm(first);
    await typeInto(page, '[name=email]', 'deniz@shop.example');
    await clickOn(second, 'button');
    await untilForm(second);
    await until('no form in the first', () => !form(first));
    await press(second, 'Continue');
    await until('the redirect', () => redirects.length === 1);
    expect(await worker.calls('bankPage')).to.deep.equal([]);
    expect(await sentBuyers(worker, 'paymentPage')).to.deep.equal([DENIZ]);
  });
});
