/** Tests how the shopper copies what the code's element shows. */

import {expect} from '@open-wc/testing/pure';
import type {CopyEvent} from '../../../../widgets/transfer/payment-code/copy-buttons.ts';
import {PAYMENTS, bank, bankList, orderCode} from '../../stub-worker/answers.ts';
import {announcements, find, findAll, record, show, text, until, untilText} from '../../support/page.ts';
import {chooseBank, press} from '../../support/shopper.ts';
import {TestWorker} from '../../support/test-worker.ts';

let copied: string[] = [];

/** Replaces the Clipboard API with a fake that accepts or refuses text. */
function setClipboard(allowed: boolean): void {
  const writeText = async (copiedText: string): Promise<void> => {
    if (!allowed) throw new DOMException('refused', 'NotAllowedError');
    copied.push(copiedText);
  };
  Object.defineProperty(navigator, 'clipboard', {value: {writeText}, configurable: true});
}

function copyButton(code: Element, label: string): Promise<HTMLButtonElement> {
  return until(label, () =>
    findAll<HTMLButtonElement>(code, 'button').find((each) => each.getAttribute('aria-label') === label),
  );
}

const showCode = (worker: TestWorker, lang = 'en') =>
  show(`<vezne-payment-code api="${worker.address}" offer="gold" bank="toros" lang="${lang}"></vezne-payment-code>`);

describe('copying from vezne-payment-code', () => {
  const {execCommand} = document;

  beforeEach(() => {
    copied = [];
    setClipboard(true);
  });

  afterEach(() => {
    document.execCommand = execCommand;
    delete (navigator as {clipboard?: unknown}).clipboard;
  });

  const copies = [
    ['Kodu kopyala', 'code', '881200450017', 'Ödeme kodu kopyalandı.'],
    ['IBAN’ı kopyala', 'iban', 'TR330006100519786457841326', 'IBAN kopyalandı.'],
    ['Alıcı adını kopyala', 'holder', 'Örnek Ödeme Kuruluşu A.Ş.', 'Alıcı adı kopyalandı.'],
    ['Tutarı kopyala', 'amount', '149,90', 'Tutar kopyalandı.'],
  ] as const;
  for (const [label, field, copiedText, announcement] of copies) {
    it(`copies “${copiedText}” with the button “${label}”, announces this, dispatches vezne-copy and moves nothing`, async () => {
      const worker = await TestWorker.start();
      const code = showCode(worker, 'tr');
      const events = record<CopyEvent>(document.body, 'vezne-copy');
      const button = await copyButton(code, label);
      const {width} = button.getBoundingClientRect();
      button.click();
      await until('the confirmation', () => text(button).includes('Kopyalandı'));
      // Otherwise the IBAN would wrap, and everything below would move.
      expect(button.getBoundingClientRect().width).to.equal(width);
      expect(copied).to.deep.equal([copiedText]);
      expect(announcements(code)).to.deep.equal([announcement]);
      expect(events.map((event) => [event.field, event.text])).to.deep.equal([[field, copiedText]]);
    });
  }

  it('copies the exact code with execCommand if the Clipboard API refuses to copy', async () => {
    const worker = await TestWorker.start();
    const code = showCode(worker, 'tr');
    setClipboard(false);
    document.execCommand = (): boolean => {
      const event = new ClipboardEvent('copy', {clipboardData: new DataTransfer(), cancelable: true});
      document.dispatchEvent(event);
      copied.push(event.clipboardData?.getData('text/plain') ?? '');
      return true;
    };
    (await copyButton(code, 'Kodu kopyala')).click();
    await untilText(code, 'Kopyalandı');
    expect(copied).to.deep.equal(['881200450017']);
  });

  it('shows the code selected in a field, with advice, if the browser refuses to copy', async () => {
    const worker = await TestWorker.start();
    const code = showCode(worker);
    const events = record<CopyEvent>(document.body, 'vezne-copy');
    setClipboard(false);
    document.execCommand = () => false;
    (await copyButton(code, 'Copy the code')).click();
    const advice = 'Your browser blocked copying. Copy the selected text yourself.';
    await untilText(code, advice);
    const field = await until('the field', () => find<HTMLTextAreaElement>(code, '.copy-fallback textarea'));
    await until(
      'the selection',
      () => field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0) === '881200450017',
    );
    expect(field.readOnly).to.equal(true);
    expect(announcements(code)).to.deep.equal([advice]);
    expect(events).to.deep.equal([]);
  });

  it('shows the payment details in a field of their height, if the browser refuses to copy them', async () => {
    const worker = await TestWorker.start();
    const code = showCode(worker);
    setClipboard(false);
    document.execCommand = () => false;
    await press(code, 'Copy all');
    const field = await until('the field', () => find<HTMLTextAreaElement>(code, '.ways textarea'));
    expect(field.value).to.match(/: 881200450017\nPay by /);
    expect(field.clientHeight).to.be.at.least(field.scrollHeight);
  });

  it('shows and copies the remaining amount after a partial payment', async () => {
    const worker = await TestWorker.start({payment: PAYMENTS.partial});
    const code = showCode(worker);
    await untilText(code, 'Remaining amount ₺49.90 ₺100.00 received, ₺49.90 to go');
    await untilText(code, 'Send the rest in one transfer with the same code.');
    (await copyButton(code, 'Copy the amount')).click();
    await until('the copy', () => copied[0]);
    expect(copied).to.deep.equal(['49,90']);
  });

  it('ends the confirmation of a copied amount when money arrives, and moves the status less than 60 px', async () => {
    const worker = await TestWorker.start();
    const element = show(`<vezne-checkout api="${worker.address}" offer="gold" lang="en"></vezne-checkout>`);
    await chooseBank(element, 'Toros');
    await untilText(element, 'Waiting for your transfer');
    (await copyButton(element, 'Copy the amount')).click();
    await untilText(element, 'Amount ₺149.90 Copied');
    const status = await until('the status', () => find(element, 'vezne-payment-status'));
    const {top} = status.getBoundingClientRect();
    await worker.send(PAYMENTS.partial);
    await untilText(element, 'Remaining amount ₺49.90');
    // This is checked immediately, because the confirmation also ends by itself after some seconds.
    expect(text(element)).not.to.include('Copied');
    // Only the text that asks for the rest has appeared above the code.
    expect(Math.abs(status.getBoundingClientRect().top - top)).to.be.lessThan(60);
  });

  for (const [name, shared] of [
    ['NotAllowedError', true],
    ['InvalidStateError', true],
    ['AbortError', false],
  ] as const)
    it(`${shared ? 'copies' : 'does not copy'} the details if sharing ends with ${name}`, async () => {
      const asked: unknown[] = [];
      const share = async (data: unknown): Promise<void> => {
        asked.push(data);
        throw new DOMException('refused', name);
      };
      Object.defineProperty(navigator, 'share', {value: share, configurable: true});
      try {
        const worker = await TestWorker.start();
        const code = showCode(worker);
        await press(code, 'Share these details');
        await until('the dialog', () => asked[0]);
        if (shared) await until('the copy', () => copied[0]);
        await new Promise((resolve) => requestAnimationFrame(resolve));
        expect(copied.length).to.equal(shared ? 1 : 0);
      } finally {
        delete (navigator as {share?: unknown}).share;
      }
    });

  it('copies everything that another person needs to pay, and offers the app of the bank', async () => {
    const app = 'https://app.toros.example/transfer';
    const worker = await TestWorker.start({banks: bankList([bank('toros', 'Toros Bank', {app_url: app})])});
    const code = showCode(worker);
    await press(code, 'Copy all');
    await until('the copy', () => copied[0]);
    expect(copied[0]).to.equal(
      'Recipient: Örnek Ödeme Kuruluşu A.Ş.\nIBAN: TR330006100519786457841326\nRecipient’s bank: Toros Bank\nAmount: ₺149,90\n' +
        'Enter only this as the description: 881200450017\nPay by Tuesday, 24 November 2026 at 15:42',
    );
    await untilText(code, '✓ Copied');
    expect(text(code)).to.not.contain('Copy all');
    expect(find<HTMLAnchorElement>(code, 'a.app')?.href).to.equal(app);
  });

  it('shows the current amount if the merchant changed the amount after the code was created', async () => {
    const worker = await TestWorker.start({payment: {...PAYMENTS.waiting, amount: '129.90', remaining: '129.90'}});
    const code = showCode(worker);
    await untilText(code, 'Amount ₺129.90');
    (await copyButton(code, 'Copy the amount')).click();
    await until('the copy', () => copied[0]);
    expect(copied).to.deep.equal(['129,90']);
  });

  it('copies a large amount without thousands separators', async () => {
    const worker = await TestWorker.start({
      code: orderCode({amount: '12345678.05'}),
      payment: {...PAYMENTS.waiting, amount: '12345678.05', remaining: '12345678.05'},
    });
    const code = showCode(worker, 'tr');
    await untilText(code, '₺12.345.678,05');
    (await copyButton(code, 'Tutarı kopyala')).click();
    await until('the copy', () => copied[0]);
    expect(copied).to.deep.equal(['12345678,05']);
  });
});
