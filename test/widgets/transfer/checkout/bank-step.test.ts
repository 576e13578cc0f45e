/** The checkout's first step: choosing a bank with the pointer or the keyboard, on small and large screens. */

import {expect} from '@open-wc/testing/pure';
import {sendKeys} from '@web/test-runner-commands';
import type {BankSelectEvent, VezneBankList} from '../../../../widgets/transfer/bank-list/vezne-bank-list.ts';
import {MANY_BANKS, bank, bankList} from '../../stub-worker/answers.ts';
import {inside, openPage} from '../../support/frame.ts';
import {find, findAll, focused, record, show, text, until, untilText} from '../../support/page.ts';
import {chooseBank, press, typeInto} from '../../support/shopper.ts';
import {TestWorker} from '../../support/test-worker.ts';

const TWELVE_BANKS = [...MANY_BANKS, bank('ada', 'Ada Bank'), bank('ova', 'Ova Bank'), bank('dag', 'Dağ Bank')];
const CODE = '881200450017';

const currentStep = (element: Element) => text(find(element, '[aria-current=step]') as Element);

async function openCheckout(lang = 'en') {
  const worker = await TestWorker.start({banks: bankList(TWELVE_BANKS)});
  const element = show(`<vezne-checkout api="${worker.address}" offer="gold" lang="${lang}"></vezne-checkout>`);
  await untilText(element, 'Toros Bank');
  return {worker, element};
}

/** Opens a shop's page with a checkout below the product, on a screen of this size. */
async function openShop(width: number, height: number): Promise<{frame: HTMLIFrameElement; element: HTMLElement}> {
  const worker = await TestWorker.start({banks: bankList(TWELVE_BANKS)});
  const frame = await openPage({
    head: `<style>body {margin: 16px} main {height: 220px}</style>
      <script type="module" src="/widgets/bundles/transfer.ts"></script>`,
    body: `<main>Product</main><vezne-checkout api="${worker.address}" offer="gold"></vezne-checkout>`,
  });
  frame.width = String(width);
  frame.height = String(height);
  const element = await inside(frame, 'vezne-checkout');
  await untilText(element, 'Toros Bank');
  return {frame, element};
}

/** Whether the whole element is inside the window, with nothing in front of it. */
function isInFront(element: Element): boolean {
  const {top, bottom, left, width} = element.getBoundingClientRect();
  const view = element.ownerDocument.defaultView as Window;
  const root = element.getRootNode() as ShadowRoot;
  const isOnTop = (y: number) => element.contains(root.elementFromPoint(left + width / 2, y));
  return top >= 0 && bottom <= view.innerHeight && isOnTop(top + 4) && isOnTop(bottom - 4);
}

describe('the bank step of vezne-checkout', () => {
  it('continues to the payment step after one tap on a bank, and “Change” returns to the banks', async () => {
    const {worker, element} = await openCheckout();
    const events = record<BankSelectEvent>(element, 'vezne-bank-select');
    await chooseBank(element, 'Marmara');
    await untilText(element, CODE);
    expect(events.map((event) => event.bank.code)).to.deep.equal(['marmara']);
    await press(element, 'Change');
    await untilText(element, 'Which bank will you pay from?');
    expect(find<HTMLInputElement>(element, ':checked')?.value).to.equal('marmara');
    await chooseBank(element, 'Marmara');
    await untilText(element, CODE);
    expect(await worker.calls('order')).to.deep.equal([]);
    expect(await worker.calls('code')).to.have.length(1);
  });

  it('continues after Enter; the arrow keys and the space bar only select a bank', async () => {
    const {element} = await openCheckout();
    find<VezneBankList>(element, 'vezne-bank-list')?.focus();
    find(element, '[type=radio]')?.focus();
    await sendKeys({press: 'Space'});
    await sendKeys({press: 'ArrowDown'});
    await sendKeys({press: 'ArrowDown'});
    expect(currentStep(element)).to.equal('Bank');
    expect((focused() as HTMLInputElement).value).to.equal('toros');
    await sendKeys({press: 'Enter'});
    await untilText(element, CODE);
    await untilText(element, 'Toros Bank');
  });

  for (const lang of ['tr', 'en'])
    it(`shows the chosen one of two accounts of a bank: ${lang}`, async () => {
      const ids = {6: 'TR330006100519786457841326', 14: 'TR460001500158007299283748'};
      const banks = Object.entries(ids).map(([id, iban]) => bank('cinar', `Çınar …${iban.slice(-4)}`, {id, iban}));
      const worker = await TestWorker.start({banks: bankList(banks)});
      const element = show(`<vezne-checkout api="${worker.address}" offer="gold" lang="${lang}"></vezne-checkout>`);
      await untilText(element, 'Çınar …3748');
      find(element, '[type=radio]')?.focus();
      await sendKeys({press: 'ArrowDown'});
      expect(text(focused()?.closest('label') as Element)).to.equal('Çınar …3748');
      await sendKeys({press: 'Enter'});
      await untilText(element, ids[14]);
      await press(element, lang === 'tr' ? 'Değiştir' : 'Change');
      await chooseBank(element, 'Çınar …1326');
      await untilText(element, ids[6]);
      expect((await worker.calls('code')).map(({body}) => (body as {bank: string}).bank)).to.deep.equal(['14', '6']);
    });

  it('is not part of a vezne-bank-list without a checkout: there, a tap only selects a bank', async () => {
    const worker = await TestWorker.start({banks: bankList(TWELVE_BANKS)});
    const list = show<VezneBankList>(
      `<vezne-bank-list api="${worker.address}" offer="gold" lang="en"></vezne-bank-list>`,
    );
    await chooseBank(list, 'Toros');
    expect(list.value).to.equal('toros');
    await untilText(list, 'Bank not listed? You can pay from any bank.');
    const events = record<BankSelectEvent>(list, 'vezne-bank-select');
    await press(list, 'Bank not listed?');
    await until('the first account', () => list.value !== 'toros');
    expect(events.map((event) => event.bank.code)).to.deep.equal([list.value]);
    expect(find<HTMLInputElement>(list, ':checked')?.value).to.equal(list.value);
  });

  it('continues if the shopper’s bank is not listed, and does not remember the shown bank as a choice', async () => {
    const {worker, element} = await openCheckout();
    const events = record(element, 'vezne-bank-select');
    await press(element, 'Bank not listed?');
    await untilText(element, CODE);
    await untilText(element, 'Çınar Bankası');
    expect(events).to.deep.equal([]);
    const next = show(`<vezne-bank-list api="${worker.address}" offer="club" lang="en"></vezne-bank-list>`);
    await untilText(next, 'Toros Bank');
    expect(text(next)).not.to.include('Last used');
  });

  it('continues after Enter in the search field if the search finds exactly one bank', async () => {
    const {element} = await openCheckout();
    await typeInto(element, '[type=search]', 'bank');
    find(element, '[type=search]')?.focus();
    await sendKeys({press: 'Enter'});
    expect(currentStep(element)).to.equal('Bank');
    await typeInto(element, '[type=search]', 'toros');
    await until('one bank', () => findAll(element, '[type=radio]').length === 1);
    await sendKeys({press: 'Enter'});
    await untilText(element, 'Toros Bank');
    await untilText(element, CODE);
  });

  for (const [width, height] of [
    [375, 667],
    [1280, 700],
  ] as const) {
    it(`covers no bank that has the focus, on a screen of ${width} × ${height} pixels`, async () => {
      const {frame, element} = await openShop(width, height);
      frame.contentWindow?.focus();
      const banks = findAll(element, 'label.bank');
      find(element, '[type=radio]')?.focus();
      await sendKeys({press: 'Space'});
      const hidden: string[] = [];
      for (const each of banks) {
        if (focused(frame.contentDocument as Document) !== find(each, 'input')) hidden.push(`no focus: ${text(each)}`);
        if (!isInFront(each)) hidden.push(text(each));
        await sendKeys({press: 'ArrowDown'});
      }
      expect(hidden).to.deep.equal([]);
      expect(banks).to.have.length(12);
    });
  }

  it('covers neither the question nor the search field on a phone’s first screen', async () => {
    const {element} = await openShop(375, 667);
    expect(isInFront(find(element, '#question') as Element)).to.equal(true);
    expect(isInFront(find(element, '.search') as Element)).to.equal(true);
  });
});
