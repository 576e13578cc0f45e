/** What elements show after the browser has translated the page. Each state is tested in `accessibility.test.ts`. */

import {expect} from '@open-wc/testing/pure';
import '../../widgets/bundles/pin-subscribe.ts';
import {MANY_BANKS, PAYMENTS, bankList, pinSent} from './stub-worker/answers.ts';
import {find, findAll, show, text, translate, until, untilText} from './support/page.ts';
import {chooseBank, typeInto} from './support/shopper.ts';
import {TestWorker} from './support/test-worker.ts';

/** The name of the bank that a radio button chooses. */
const nameOf = ({value = ''}: Partial<HTMLInputElement> = {}) =>
  bankList(MANY_BANKS).banks.find(({id}) => id === value)?.name;

describe('on a page that the browser has translated', () => {
  it('the amounts and the state of a payment are those of now', async () => {
    const worker = await TestWorker.start();
    const element = show(`<vezne-checkout api="${worker.address}" offer="gold" lang="en"></vezne-checkout>`);
    await chooseBank(element, 'Toros');
    await untilText(element, 'Waiting for your transfer');
    translate(element);
    await worker.send(PAYMENTS.partial);
    await untilText(element, '₺49.90');
    expect(text(element)).not.to.include('149.90');
    translate(element);
    await worker.send(PAYMENTS.paid);
    await untilText(element, 'Payment received');
    expect(text(element)).not.to.include('to go').and.not.to.include('49.90 to');
  });

  it('a bank has its own name after a search', async () => {
    const worker = await TestWorker.start({banks: bankList(MANY_BANKS)});
    const element = show(`<vezne-bank-list api="${worker.address}" offer="gold" lang="en"></vezne-bank-list>`);
    await untilText(element, 'Işık');
    translate(element);
    await typeInto(element, '[type=search]', 'ışık');
    await until('one bank', () => findAll(element, '.banks label').length === 1);
    expect(text(find(element, '.banks .name') as Element)).to.equal(nameOf(find(element, '[type=radio]')));
  });

  it('what must be copied or recognized is not translated, and nothing that was typed is lost', async () => {
    const worker = await TestWorker.start({pin: pinSent()});
    const element = show(`<vezne-checkout api="${worker.address}" offer="gold" lang="en"></vezne-checkout>`);
    await chooseBank(element, 'Toros');
    await untilText(element, 'Waiting for your transfer');
    const kept = findAll(element, '[translate=no]').map((each) => text(each));
    for (const expected of [/8812/, /^TR/, /149.90/, /Toros/])
      expect(
        kept.some((each) => expected.test(each)),
        `${expected}`,
      ).to.equal(true);
    const form = show(`<vezne-pin-subscribe api="${worker.address}" offer="club" lang="en"></vezne-pin-subscribe>`);
    await typeInto(form, '[name=number]', '0532 123 45 67');
    translate(form);
    form.lang = 'tr';
    await untilText(form, 'Onay kodu gönder');
    expect(find<HTMLInputElement>(form, '[name=number]')?.value).to.equal('0532 123 45 67');
  });
});
