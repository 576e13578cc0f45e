import {expect} from '@open-wc/testing/pure';
import {render} from 'lit';
import {bankTile} from '../../../../widgets/transfer/bank-list/bank-tile.ts';
import type {BankSelectEvent, VezneBankList} from '../../../../widgets/transfer/bank-list/vezne-bank-list.ts';
import {FEW_BANKS, MANY_BANKS, bank, bankList} from '../../stub-worker/answers.ts';
import {announcements, find, findAll, focused, record, show, text, until, untilText} from '../../support/page.ts';
import {chooseBank, press} from '../../support/shopper.ts';
import {TestWorker, origin} from '../../support/test-worker.ts';

const names = (list: Element) => findAll(list, 'label .name').map((name) => text(name));

async function search(list: Element, query: string): Promise<void> {
  const field = await until('the search field', () => find<HTMLInputElement>(list, 'input[type=search]'));
  field.value = query;
  field.dispatchEvent(new InputEvent('input', {bubbles: true}));
  await (list as VezneBankList).updateComplete;
}

/** A bank whose IBAN contains this bank number. */
const real = (number: string, name: string) => bank(number, name, {iban: `TR00000${number}0519786457841326`});

/** How many requests for banks went to the page's own host. */
const countStray = () => performance.getEntriesByName(`${location.origin}/v1/banks`).length;

describe('vezne-bank-list', () => {
  it('lists the banks in the order in which the Worker sends them', async () => {
    const worker = await TestWorker.start();
    const list = show(`<vezne-bank-list api="${worker.address}" lang="tr"></vezne-bank-list>`);
    await untilText(list, 'Hangi bankadan göndereceksiniz?');
    expect(names(list)).to.deep.equal(['Çınar Bankası', 'Marmara Bankası', 'Toros Bank', 'Yayla Katılım']);
    expect(await worker.calls()).to.deep.equal([{operation: 'banks', authorization: null, body: null}]);
  });

  it('dispatches an event with the chosen bank to the page', async () => {
    const worker = await TestWorker.start();
    const list = show<VezneBankList>(`<vezne-bank-list api="${worker.address}" lang="tr"></vezne-bank-list>`);
    const events = record<BankSelectEvent>(document.body, 'vezne-bank-select');
    await chooseBank(list, 'Marmara');
    expect(events.map((event) => [event.bank, event.composed])).to.deep.equal([[FEW_BANKS[1], true]]);
    expect(list.value).to.equal('marmara');
  });

  it('has no search field if there are only a few banks', async () => {
    const worker = await TestWorker.start();
    const list = show(`<vezne-bank-list api="${worker.address}" lang="tr"></vezne-bank-list>`);
    await untilText(list, 'Çınar');
    expect(find(list, 'input[type=search]')).to.equal(undefined);
  });

  it('finds banks by names with Turkish letters and in capitals, however the shopper types an i', async () => {
    const worker = await TestWorker.start({banks: bankList(MANY_BANKS)});
    const list = show(`<vezne-bank-list api="${worker.address}" lang="tr"></vezne-bank-list>`);
    for (const query of ['is', 'İŞ', 'iş', 'IS', ' iş  bank', 'isbank']) {
      await search(list, query);
      expect(names(list), query).to.include('Anadolu İş Bankası').and.not.to.include('Toros Bank');
    }
    for (const query of ['garantili', 'GARANTİLİ', 'garantılı']) {
      await search(list, query);
      expect(names(list), query).to.deep.equal(['GARANTİLİ Şehir Bankası']);
    }
  });

  it('finds banks by their long, old and short names', async () => {
    const banks = [
      real('10', 'Ziraat Bankası'),
      real('15', 'VakıfBank'),
      real('32', 'TEB'),
      real('46', 'Akbank'),
      real('62', 'Garanti BBVA'),
      real('64', 'İş Bankası'),
      real('67', 'Yapı Kredi'),
    ].concat(bank('qnb', 'QNB', {iban: 'TR000011100519786457841326'}));
    const worker = await TestWorker.start({banks: bankList(banks)});
    const list = show(`<vezne-bank-list api="${worker.address}" lang="tr"></vezne-bank-list>`);
    for (const [query, name] of [
      ['T.C. ZİRAAT', 'Ziraat Bankası'],
      ['tc ziraat bankasi a.ş.', 'Ziraat Bankası'],
      ['Vakıflar', 'VakıfBank'],
      ['türk ekonomi', 'TEB'],
      ['Akbank T.A.Ş.', 'Akbank'],
      ['garanti bankası', 'Garanti BBVA'],
      ['TÜRKIYE IŞ BANKASI', 'İş Bankası'],
      ['türkiye iş', 'İş Bankası'],
      ['ykb', 'Yapı Kredi'],
      ['finansbank', 'QNB'],
      ['qnb finansbank', 'QNB'],
    ] as const) {
      await search(list, query);
      await until(`${name} for “${query}”`, () => names(list).join() === name);
    }
  });

  it('announces how many banks the search has found', async () => {
    const worker = await TestWorker.start({banks: bankList(MANY_BANKS)});
    const list = show(`<vezne-bank-list api="${worker.address}" lang="en"></vezne-bank-list>`);
    await search(list, 'toros');
    await until('the announcement', () => announcements(list).includes('One bank found.'));
  });

  it('offers to show all banks if the search finds no bank', async () => {
    const worker = await TestWorker.start({banks: bankList(MANY_BANKS)});
    const list = show(`<vezne-bank-list api="${worker.address}" lang="en"></vezne-bank-list>`);
    await search(list, 'zzz');
    await untilText(
      list,
      'No bank matches “zzz”. You can choose any bank in the list. Show all banks Bank not listed? You can pay from any bank.',
    );
    await press(list, 'Show all banks');
    await untilText(list, 'Çınar');
    expect(names(list)).to.have.length(MANY_BANKS.length);
  });

  it('shows the bank that the shopper chose last at the top, and selects it', async () => {
    const worker = await TestWorker.start();
    const first = show(`<vezne-bank-list api="${worker.address}" offer="gold" lang="tr"></vezne-bank-list>`);
    await chooseBank(first, 'Toros');
    const next = show<VezneBankList>(
      `<vezne-bank-list api="${worker.address}" offer="club" lang="tr"></vezne-bank-list>`,
    );
    await untilText(next, 'Toros');
    expect(names(next)[0]).to.equal('Toros Bank Son seçtiğiniz banka');
    expect(next.value).to.equal('toros');
    expect(find<HTMLInputElement>(next, 'input:checked')?.value).to.equal('toros');
  });

  it('submits the chosen bank with the form around it, which is invalid until then, also while there are no banks', async () => {
    const worker = await TestWorker.start({faults: {banks: {kind: 'held'}}});
    const form = show<HTMLFormElement>(
      `<form><vezne-bank-list name="bank" required api="${worker.address}" lang="tr"></vezne-bank-list></form>`,
    );
    const list = form.firstElementChild as VezneBankList;
    expect(form.checkValidity(), 'at once').to.equal(false);
    await list.updateComplete;
    expect(form.reportValidity(), 'before the banks').to.equal(false);
    list.required = false;
    expect(form.checkValidity()).to.equal(true);
    list.required = true;
    expect(form.checkValidity()).to.equal(false);
    await worker.release();
    await untilText(form, 'Çınar');
    expect(form.checkValidity()).to.equal(false);
    await chooseBank(form, 'Yayla');
    await until('a valid form', () => form.checkValidity());
    expect(new FormData(form).get('bank')).to.equal('yayla');
  });

  it('and its form agree at once after each change of the value, the name and the state, and after a reset', async () => {
    const worker = await TestWorker.start();
    const form = show<HTMLFormElement>(
      `<form><vezne-bank-list name="bank" value="toros" api="${worker.address}" lang="tr"></vezne-bank-list></form>`,
    );
    const list = form.firstElementChild as VezneBankList;
    const submitted = () => Object.fromEntries(new FormData(form));
    // The banks are not known yet.
    list.value = 'marmara';
    expect(submitted()).to.deep.equal({bank: 'marmara'});
    await untilText(form, 'Çınar');
    await chooseBank(form, 'Yayla');
    expect(submitted()).to.deep.equal({bank: 'yayla'});
    form.reset();
    expect([list.value, submitted()]).to.deep.equal(['toros', {bank: 'toros'}]);
    list.value = 'marmara';
    expect(submitted()).to.deep.equal({bank: 'marmara'});
    list.formStateRestoreCallback('yayla');
    expect(submitted()).to.deep.equal({bank: 'yayla'});
    list.name = 'from';
    expect(submitted()).to.deep.equal({from: 'yayla'});
    list.disabled = true;
    expect([submitted(), list.matches(':disabled')]).to.deep.equal([{}, true]);
    // What Vue and Svelte write for a false value.
    list.setAttribute('disabled', 'false');
    expect([submitted(), list.matches(':disabled')]).to.deep.equal([{from: 'yayla'}, false]);
    list.value = '';
    list.required = true;
    expect(form.checkValidity()).to.equal(false);
    list.setAttribute('required', 'False');
    expect(form.checkValidity()).to.equal(true);
  });

  it('is led into by its label, and a click on a bank moves the focus nowhere else', async () => {
    for (const markup of [
      '<div><label for="list">Banka</label><vezne-bank-list id="list" lang="tr"></vezne-bank-list></div>',
      '<div><label><b>Banka</b><vezne-bank-list lang="tr"></vezne-bank-list></label></div>',
    ]) {
      const worker = await TestWorker.start({banks: bankList(MANY_BANKS)});
      const page = show(markup);
      find<VezneBankList>(page, 'vezne-bank-list')?.setAttribute('api', worker.address);
      await untilText(page, 'Çınar');
      const list = find(page, 'vezne-bank-list');
      expect(focused()).to.equal(document.body);
      (find(page, 'b') ?? find(page, 'label'))?.click();
      const field = find(page, 'input[type=search]');
      expect(focused()).to.equal(field);
      field?.blur();
      findAll(list as Element, 'label.bank')[1]?.click();
      const chosen = find<HTMLInputElement>(page, ':checked');
      expect([chosen?.value, focused()]).to.deep.equal([MANY_BANKS[1]?.id, chosen]);
      page.remove();
    }
  });

  it('asks only the Worker that a framework names just after it has added the list to the page', async () => {
    const worker = await TestWorker.start();
    const before = countStray();
    const list = show<VezneBankList>('<vezne-bank-list lang="tr"></vezne-bank-list>');
    list.api = worker.address;
    await untilText(list, 'Çınar');
    expect([countStray(), (await worker.calls()).length]).to.deep.equal([before, 1]);
  });

  it('submits the only bank even if the shopper has chosen none', async () => {
    const worker = await TestWorker.start({banks: bankList([bank('tek', 'Tek Banka')])});
    const form = show<HTMLFormElement>(
      `<form><vezne-bank-list name="bank" required api="${worker.address}" lang="tr"></vezne-bank-list></form>`,
    );
    await untilText(form, 'Tek Banka');
    await until('a valid form', () => form.checkValidity());
    expect(new FormData(form).get('bank')).to.equal('tek');
  });

  it('does not submit a bank that is no longer listed', async () => {
    const worker = await TestWorker.start();
    const form = show<HTMLFormElement>(
      `<form><vezne-bank-list name="bank" value="gone" required api="${worker.address}" lang="tr"></vezne-bank-list></form>`,
    );
    await untilText(form, 'Toros');
    await until('an invalid form', () => !form.checkValidity());
    expect(new FormData(form).get('bank')).to.equal(null);
  });

  it('shows the initials of a bank whose logo has an invalid URL', () => {
    const container = show('<div></div>');
    render(bankTile({...bank('x', 'Kuzey Bank'), logo: 'https://['}, origin), container);
    expect(container.textContent?.trim()).to.equal('KB');
    expect(find<HTMLImageElement>(container, 'img')?.hidden).to.equal(true);
  });

  it('is disabled in a disabled fieldset', async () => {
    const worker = await TestWorker.start();
    const form = show(
      `<fieldset disabled><vezne-bank-list api="${worker.address}" lang="tr"></vezne-bank-list></fieldset>`,
    );
    await untilText(form, 'Çınar');
    expect(findAll<HTMLInputElement>(form, 'input').every((input) => input.matches(':disabled'))).to.equal(true);
  });

  it('says that there is no account, and reloads the list when the shopper retries', async () => {
    const worker = await TestWorker.start({banks: bankList([])});
    const list = show(`<vezne-bank-list api="${worker.address}" lang="en"></vezne-bank-list>`);
    await untilText(list, 'Bank transfer isn’t available right now');
    await worker.script({banks: bankList()});
    await press(list, 'Try again');
    await untilText(list, 'Çınar Bankası');
  });

  it('shows the initials of a bank whose logo does not load, without a layout shift', async () => {
    const worker = await TestWorker.start({banks: bankList([bank('ab', 'Ak Başak', {logo: '/logos/nowhere.png'})])});
    const list = show(`<vezne-bank-list api="${worker.address}" lang="tr"></vezne-bank-list>`);
    await untilText(list, 'Ak Başak');
    const image = await until('an image', () => find<HTMLImageElement>(list, 'img'));
    const before = list.getBoundingClientRect().height;
    await until('the failure', () => image.complete);
    expect(image.src).to.equal(`${new URL(worker.address).origin}/logos/nowhere.png`);
    expect(getComputedStyle(image).opacity).to.equal('0');
    expect(find(list, '.tile')?.textContent?.trim()).to.equal('AB');
    expect(list.getBoundingClientRect().height).to.equal(before);
  });

  it('changes its height by less than 60 pixels when four banks replace the skeleton', async () => {
    const worker = await TestWorker.start({faults: {banks: {kind: 'held'}}});
    const list = show(`<vezne-bank-list api="${worker.address}" lang="tr"></vezne-bank-list>`);
    await until('the skeleton', () => announcements(list).includes('Yükleniyor…'));
    const loading = list.getBoundingClientRect().height;
    await until('the request', async () => (await worker.calls('banks')).length);
    await worker.release();
    await untilText(list, 'Çınar');
    expect(Math.abs(list.getBoundingClientRect().height - loading)).to.be.lessThan(60);
  });
});
