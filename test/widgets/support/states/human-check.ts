/** The states of the human check in the elements that may require it. */

import {session, terms} from '../../stub-worker/answers.ts';
import type {Operation} from '../../stub-worker/script.ts';
import {installFakeTurnstile} from '../fake-turnstile.ts';
import {find, until, untilText} from '../page.ts';
import {chooseBank, clickOn, press, typeInto} from '../shopper.ts';
import {refused, type States, type StateScript} from './state.ts';

const pin = '<vezne-pin-subscribe offer="club" lang="tr"></vezne-pin-subscribe>';
const PARAMETERS = {sitekey: '1x00000000000000000000AA'};

const askPin = async (element: Element): Promise<void> => {
  await clickOn(element, '[name=operator][value="4"]');
  await typeInto(element, '#number', '0532 123 45 67');
  await clickOn(element, '[name=consent]');
  await press(element, 'Onay kodu gönder');
};
const orderCheck = (operation: Operation): StateScript => ({
  session: session({human_check: {...PARAMETERS, action: 'order'}}),
  faults: {[operation]: refused('human_check_required')},
});
const pinCheck: StateScript = {
  terms: terms({human_check: {...PARAMETERS, action: 'pin'}}),
  faults: {pin: refused('human_check_required')},
};
const showsCheck = (element: Element) => until('the check', () => find(element, '[slot=human-check] button'));
/** Makes the script of the human check fail to load, even if another test has loaded it. */
const blockTurnstile = (): void => {
  Object.assign((globalThis as {[key: symbol]: object | undefined})[Symbol.for('vezne human check')] ?? {}, {
    loading: undefined,
  });
  installFakeTurnstile({loads: false});
};

export const HUMAN_CHECK_STATES: States = {
  'a human check before an order code': {
    markup: '<vezne-checkout offer="gold" lang="tr"></vezne-checkout>',
    script: orderCheck('code'),
    prepare: () => installFakeTurnstile(),
    reach: async (element) => {
      await chooseBank(element, 'Toros');
      await showsCheck(element);
    },
  },
  'a repeated human check before an order code': {
    markup: '<vezne-checkout offer="gold" lang="tr"></vezne-checkout>',
    script: orderCheck('code'),
    prepare: () => installFakeTurnstile(),
    reach: async (element, worker) => {
      await chooseBank(element, 'Toros');
      await showsCheck(element);
      await worker.fault('code', refused('human_check_failed'));
      await press(element, 'I am human');
      await untilText(element, 'Doğrulama tamamlanamadı');
      await showsCheck(element);
    },
  },
  'a human check that Turnstile could not complete, before an order code': {
    markup: '<vezne-checkout offer="gold" lang="tr"></vezne-checkout>',
    script: orderCheck('code'),
    prepare: () => installFakeTurnstile(),
    reach: async (element) => {
      await chooseBank(element, 'Toros');
      (await showsCheck(element)).dispatchEvent(new Event('error'));
      await untilText(element, 'Bağlantınızı kontrol edip');
    },
  },
  'a human check that could not load, before an order code': {
    markup: '<vezne-checkout offer="gold" lang="tr"></vezne-checkout>',
    script: orderCheck('code'),
    prepare: blockTurnstile,
    reach: async (element) => {
      await chooseBank(element, 'Toros');
      await untilText(element, 'Doğrulama tamamlanamadı');
    },
  },
  'a human check before the bank page': {
    markup: '<vezne-pay-button offer="gold" lang="tr"></vezne-pay-button>',
    script: orderCheck('bankPage'),
    prepare: () => installFakeTurnstile(),
    reach: async (element) => {
      await press(element, 'Havale / EFT / FAST ile');
      await showsCheck(element);
    },
  },
  'a human check before a payment notice': {
    markup: '<vezne-payment-notice offer="gold" lang="tr"></vezne-payment-notice>',
    script: orderCheck('notice'),
    prepare: () => installFakeTurnstile(),
    reach: async (element) => {
      await typeInto(element, '#bank', 'cinar');
      await typeInto(element, '#amount', '149,90');
      await typeInto(element, '#when', '2025-11-20T10:00');
      await press(element, 'Ödememi bildir');
      await showsCheck(element);
    },
  },
  'a human check before a PIN': {
    markup: pin,
    script: pinCheck,
    prepare: () => installFakeTurnstile(),
    reach: async (element) => {
      await askPin(element);
      await showsCheck(element);
    },
  },
  'a human check that failed': {
    markup: pin,
    script: pinCheck,
    prepare: () => installFakeTurnstile(),
    reach: async (element, worker) => {
      await askPin(element);
      await showsCheck(element);
      await press(element, 'I am human');
      await worker.fault('pin', refused('human_check_failed'));
      await press(element, 'Onay kodu gönder');
      await untilText(element, 'Doğrulama tamamlanamadı');
    },
  },
  'a human check that could not load, before a PIN': {
    markup: pin,
    script: pinCheck,
    prepare: blockTurnstile,
    reach: async (element) => {
      await askPin(element);
      await untilText(element, 'Doğrulama tamamlanamadı');
    },
  },
};
