/** The states of `vezne-bank-list`. */

import {FEW_BANKS, MANY_BANKS, bank, bankList} from '../../stub-worker/answers.ts';
import {find, until, untilText} from '../page.ts';
import {chooseBank, typeInto} from '../shopper.ts';
import {goOffline, held, refused, reset, showsSkeleton, showsText, stored, unavailable, type States} from './state.ts';

const list = '<vezne-bank-list offer="gold" lang="tr"></vezne-bank-list>';

const LOGO = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><circle cx="20" cy="20" r="17" fill="#c22"/></svg>',
)}`;

export const BANK_LIST_STATES: States = {
  'a bank list': {markup: list, reach: (element) => chooseBank(element, 'Toros')},
  'a bank list without a choice': {markup: list, reach: showsText('Toros')},
  'a bank list with the bank that was chosen last time': {
    markup: list,
    prepare: stored({bank: 'toros'}),
    reach: showsText('Son seçtiğiniz banka'),
  },
  'a bank list with many banks': {markup: list, script: {banks: bankList(MANY_BANKS)}, reach: showsText('Işık')},
  'a bank list with one bank': {
    markup: list,
    script: {banks: bankList(FEW_BANKS.slice(0, 1))},
    reach: showsText('Çınar'),
  },
  'a bank list with logos': {
    markup: list,
    script: {banks: bankList(FEW_BANKS.map(({code, name}) => bank(code, name, {logo: LOGO})))},
    reach: (element) => until('a logo', () => find(element, '.loaded')),
  },
  'a bank list that is disabled': {markup: list.replace(' ', ' disabled '), reach: showsText('Toros')},
  'an empty bank list': {markup: list, script: {banks: bankList([])}, reach: showsText('an kullanılamıyor')},
  'a bank list that is loading': {markup: list, script: {faults: {banks: held}}, reach: showsSkeleton},
  'a bank list that failed': {markup: list, script: {faults: {banks: unavailable}}, reach: showsText('yanıt vermiyor')},
  'a bank list that is rate limited': {
    markup: list,
    script: {faults: {banks: refused('rate_limited', {retryAfter: 30})}},
    reach: showsText('Lütfen biraz bekleyin'),
  },
  'a bank list without a connection': {
    markup: list,
    script: {faults: {banks: reset}},
    reach: showsText('hizmetine ulaşılamıyor'),
  },
  'a bank list on a device that is offline': {
    markup: list,
    script: {faults: {banks: reset}},
    prepare: goOffline,
    reach: showsText('İnternet bağlantınız yok'),
  },
  'a bank list for a developer whose page is not allowed': {
    markup: list,
    script: {isAllowed: false},
    reach: showsText('ALLOWED_ORIGINS'),
  },
  'a bank list whose search finds some banks': {
    markup: list,
    script: {banks: bankList(MANY_BANKS)},
    reach: async (element) => {
      await typeInto(element, 'input[type=search]', 'garanti');
      await until('the banks', () => !find(element, '.bank [value=toros]'));
    },
  },
  'a bank list without a match': {
    markup: list,
    script: {banks: bankList(MANY_BANKS)},
    reach: async (element) => {
      await typeInto(element, 'input[type=search]', 'zzz');
      await untilText(element, 'eşleşen banka bulunamadı');
    },
  },
};
