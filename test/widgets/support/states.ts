/** The states that elements can be in, and how each is reached. */

import type {HandoffLink} from '../../../widgets/transfer/purchase/handoff-link.ts';
import {
  FEW_BANKS,
  MANY_BANKS,
  PAYMENTS,
  VENDOR_FORM,
  bankList,
  pinSent,
  session,
  subscription,
  terms,
} from '../stub-worker/answers.ts';
import type {Script} from '../stub-worker/script.ts';
import {installFakeTurnstile} from './fake-turnstile.ts';
import {chooseBank, clickOn, find, press, typeInto, until, untilText} from './page.ts';
import type {TestWorker} from './test-worker.ts';

export interface State {
  readonly markup: string;
  /** Whether the page was opened by a link that brings an order. */
  readonly isLinked?: true;
  readonly script?: Partial<Script>;
  /** What is so before the element comes. */
  readonly prepare?: () => void;
  readonly reach: (element: Element, worker: TestWorker) => Promise<void>;
}

const reads = (words: string) => (element: Element) => untilText(element, words);
const toCode = async (element: Element): Promise<void> => {
  await chooseBank(element, 'Çınar');
  await press(element, 'Devam');
};
const skeleton = async (element: Element): Promise<void> => {
  await until('the skeleton', () => find(element, '.skeleton'));
};

const list = '<vezne-bank-list offer="gold" lang="tr"></vezne-bank-list>';
export const code = '<vezne-payment-code offer="gold" bank="cinar" lang="tr"></vezne-payment-code>';
export const status = '<vezne-payment-status offer="gold" lang="tr"></vezne-payment-status>';
export const checkout = '<vezne-checkout offer="gold" lang="tr"></vezne-checkout>';
const pin = '<vezne-pin-subscribe offer="club" lang="tr"></vezne-pin-subscribe>';
const oneClick = '<vezne-one-click offer="club" number-token="7" lang="tr"></vezne-one-click>';
const membership = '<vezne-subscription session="management" lang="tr"></vezne-subscription>';
const payButton = '<vezne-pay-button offer="gold" lang="tr"></vezne-pay-button>';
const notice = '<vezne-payment-notice offer="gold" lang="tr"></vezne-payment-notice>';
const askPin = async (element: Element): Promise<void> => {
  await clickOn(element, '[name=operator][value="4"]');
  await typeInto(element, '#number', '0532 123 45 67');
  await clickOn(element, '[name=consent]');
  await press(element, 'Onay kodu gönder');
};
const toPin = async (element: Element): Promise<void> => {
  await askPin(element);
  await untilText(element, 'SMS ile gelen kodu yazın');
};
const vendor = '<vezne-vendor-form session="vendor" lang="tr"></vezne-vendor-form>';
/** A form that says how it ended as soon as it is opened. */
const formThat = (body: string) => ({...VENDOR_FORM, url: `/page?${new URLSearchParams({body})}`});
const ended = (outcome: string) =>
  formThat(
    `<script>parent.postMessage({type: 'vezne-vendor', outcome: '${outcome}', nonce: '${VENDOR_FORM.nonce}'}, '*')</script>`,
  );
/** A browser that copies nothing, as some in apps do. */
const copyNothing = (): void => {
  Object.defineProperty(navigator, 'clipboard', {value: undefined, configurable: true});
  Object.defineProperty(document, 'execCommand', {value: () => false, configurable: true});
};
/** The page as the platform sends somebody back to it. */
const comeBack = (from: string): void => {
  const address = new URL(location.href);
  address.searchParams.set('vezne-return', `${from}.success`);
  history.replaceState(null, '', address);
};
const check: Partial<Script> = {
  terms: terms({human_check: {sitekey: '1x00000000000000000000AA', action: 'pin'}}),
  faults: {pin: {kind: 'problem', code: 'human_check_required'}},
};
const down = {kind: 'problem', code: 'temporarily_unavailable'} as const;

export const STATES: Readonly<Record<string, State>> = {
  'the banks': {markup: list, reach: (element) => chooseBank(element, 'Toros')},
  'many banks': {markup: list, script: {banks: bankList(MANY_BANKS)}, reach: reads('Işık')},
  'an older list of banks': {markup: list, script: {banks: bankList(FEW_BANKS, true)}, reach: reads('yenilenemiyor')},
  'no bank at all': {markup: list, script: {banks: bankList([])}, reach: reads('bir hesap yok')},
  'banks on their way': {markup: list, script: {faults: {banks: {kind: 'held'}}}, reach: skeleton},
  'banks that failed': {markup: list, script: {faults: {banks: down}}, reach: reads('yanıt vermiyor')},
  'no bank found': {
    markup: list,
    script: {banks: bankList(MANY_BANKS)},
    reach: async (element) => {
      const field = await until('the search', () => find<HTMLInputElement>(element, 'input[type=search]'));
      field.value = 'zzz';
      field.dispatchEvent(new InputEvent('input'));
      await untilText(element, 'eşleşen banka yok');
    },
  },
  'the code': {markup: code, reach: reads('Çınar Bankası')},
  'the code, copied': {
    markup: code,
    reach: async (element) => {
      await press(element, 'Kodu kopyala');
      await until('an outcome', () => find(element, '.copied, .copy-fallback'));
    },
  },
  'the code, to be opened on a phone': {
    markup: code,
    reach: async (element) => {
      await press(element, 'Telefonda aç');
      await until('the QR code', () => find(element, 'svg.qr'));
    },
  },
  'the code, opened on a phone': {
    markup: code,
    reach: async (element, worker) => {
      await untilText(element, 'Telefonda aç');
      await until('the payment', async () => (await worker.sockets()) === 1);
      await press(element, 'Telefonda aç');
      await until('the QR code', () => find(element, 'svg.qr'));
      await worker.send({...PAYMENTS.waiting, handed_over_at: '2026-11-21T15:43:00+03:00'});
      await untilText(element, 'Telefonda açıldı');
    },
  },
  'a code whose order is followed no more': {
    markup: code,
    reach: async (element, worker) => {
      await until('the payment', async () => (await worker.sockets()) === 1);
      await worker.script({token: 'another', sockets: 'refused'});
      await worker.dropSockets();
      await untilText(element, 'artık buradan izlenemiyor');
    },
  },
  'no hand-off to a phone': {
    markup: code,
    script: {faults: {handoff: down}},
    reach: async (element) => {
      await press(element, 'Telefonda aç');
      await untilText(element, 'yanıt vermiyor');
    },
  },
  'the code without a bank': {markup: code.replace('bank="cinar"', 'bank="gone"'), reach: reads('artık listede değil')},
  'a code on its way': {markup: code, script: {faults: {code: {kind: 'held'}}}, reach: skeleton},
  'a code that failed': {markup: code, script: {faults: {code: down}}, reach: reads('yanıt vermiyor')},
  'a code that is paid': {markup: code, script: {payment: PAYMENTS.paid}, reach: reads('Ödemeniz alındı')},
  'a payment on its way': {
    markup: status,
    script: {faults: {payment: {kind: 'held'}}, sockets: 'silent'},
    reach: skeleton,
  },
  'a payment that failed': {
    markup: status,
    script: {faults: {payment: {kind: 'problem', code: 'origin_not_allowed'}}, sockets: 'refused'},
    reach: reads('ödeme alınamıyor'),
  },
  'a payment out of reach': {
    markup: status,
    reach: async (element, worker) => {
      await untilText(element, 'bekliyoruz');
      await worker.script({sockets: 'refused', faults: {payment: {kind: 'reset'}}});
      await worker.dropSockets();
      await untilText(element, 'Bağlantı kurulamıyor');
    },
  },
  ...Object.fromEntries(
    Object.entries(PAYMENTS).map(([state, payment]): [string, State] => [
      `a payment that is ${state}`,
      {
        markup: status,
        script: {payment},
        reach: async (element) => void (await until(state, () => find(element, '[part=status]'))),
      },
    ]),
  ),
  'a checkout at its beginning': {markup: checkout, reach: reads('Çınar')},
  'a checkout that asks about a link': {markup: checkout, isLinked: true, reach: reads('sipariş açılsın mı?')},
  'a checkout on its way': {markup: checkout, script: {faults: {session: {kind: 'held'}}}, reach: skeleton},
  'a checkout that failed': {
    markup: checkout,
    script: {faults: {session: {kind: 'problem', code: 'unknown_offer'}}},
    reach: reads('satışta değil'),
  },
  'a checkout without a choice': {
    markup: checkout,
    reach: async (element) => {
      await untilText(element, 'Çınar');
      await press(element, 'Devam');
      await untilText(element, 'bir banka seçin');
    },
  },
  'a checkout with its code': {
    markup: checkout,
    reach: async (element) => {
      await toCode(element);
      await untilText(element, 'Ödemenizi bekliyoruz');
      await untilText(element, 'IBAN');
    },
  },
  'a checkout partly paid': {
    markup: checkout,
    script: {payment: PAYMENTS.partial},
    reach: async (element) => {
      await toCode(element);
      await untilText(element, 'Kalan tutar');
    },
  },
  'a checkout that is paid': {
    markup: checkout,
    script: {payment: PAYMENTS.paid},
    reach: async (element) => {
      await toCode(element);
      await untilText(element, 'Ödemeniz alındı');
    },
  },
  'a subscription, to be begun': {markup: pin, reach: reads('Onay kodu gönder')},
  'a subscription with nothing filled in': {
    markup: pin,
    reach: async (element) => {
      await press(element, 'Onay kodu gönder');
      await untilText(element, 'Operatörünüzü seçin.');
    },
  },
  'a subscription that waits for its PIN': {markup: pin, reach: toPin},
  'a wrong PIN': {
    markup: pin,
    script: {faults: {subscribe: {kind: 'problem', code: 'pin_wrong'}}},
    reach: async (element) => {
      await toPin(element);
      await typeInto(element, '#pin', '1234');
      await press(element, 'Aboneliği başlat');
      await untilText(element, 'Kod yanlış');
    },
  },
  'a PIN that is over, when another was sent': {
    markup: pin,
    script: {pin: pinSent({resendInMs: 0}), faults: {subscribe: {kind: 'problem', code: 'pin_blocked'}}},
    reach: async (element) => {
      await toPin(element);
      await press(element, 'Yeni kod iste');
      await untilText(element, 'yeni bir kod gönderdik');
      await typeInto(element, '#pin', '1234');
      await press(element, 'Aboneliği başlat');
      await untilText(element, 'Bu kod artık geçmez.');
    },
  },
  'a number that has to wait for another PIN': {
    markup: pin,
    script: {faults: {pin: {kind: 'problem', code: 'rate_limited', retryAfter: 82_800}}},
    reach: async (element) => {
      await askPin(element);
      await untilText(element, 'Kodum var');
    },
  },
  'a subscription that began': {
    markup: pin,
    reach: async (element) => {
      await toPin(element);
      await typeInto(element, '#pin', '1234');
      await press(element, 'Aboneliği başlat');
      await untilText(element, 'Aboneliğiniz başladı');
    },
  },
  'the form for a transfer without its code': {markup: notice, reach: reads('Ödememi bildir')},
  'that form with nothing filled in': {
    markup: notice,
    reach: async (element) => {
      await press(element, 'Ödememi bildir');
      await untilText(element, 'Dekontta yazan adı yazın.');
    },
  },
  'a way to a hosted page': {markup: payButton, reach: reads('Havale ile öde')},
  'my subscription': {markup: membership, reach: reads('Aboneliği iptal et')},
  'the question before it is cancelled': {
    markup: membership,
    reach: async (element) => {
      await press(element, 'Aboneliği iptal et');
      await untilText(element, 'iptal edilsin mi?');
    },
  },
  'a subscription that is cancelled': {
    markup: membership,
    reach: async (element) => {
      await press(element, 'Aboneliği iptal et');
      await press(element, 'Evet, iptal et');
      await untilText(element, 'Aboneliğiniz iptal edildi');
    },
  },
  'a subscription that was cancelled before': {
    markup: membership,
    script: {subscription: subscription({state: 'cancelled', cancelled_at: '2026-11-21T15:42:00+03:00'})},
    reach: reads('İptal'),
  },
  'a human check': {
    markup: pin,
    script: check,
    prepare: installFakeTurnstile,
    reach: async (element) => {
      await askPin(element);
      await until('the check', () => find(element, '[slot=human-check] button'));
    },
  },
  'a human check that was not passed': {
    markup: pin,
    script: {...check, faults: {pin: {kind: 'problem', code: 'human_check_failed'}}},
    reach: async (element) => {
      await askPin(element);
      await untilText(element, 'Doğrulama tamamlanamadı');
    },
  },
  'a human check before the code': {
    markup: checkout,
    script: {
      session: session({human_check: {sitekey: '1x00000000000000000000AA', action: 'order'}}),
      faults: {code: {kind: 'problem', code: 'human_check_required'}},
    },
    prepare: installFakeTurnstile,
    reach: async (element) => {
      await chooseBank(element, 'Toros');
      await press(element, 'Devam');
      await until('the check', () => find(element, '[slot=human-check] button'));
    },
  },
  'the code, whose link is copied by hand': {
    markup: code,
    prepare: copyNothing,
    reach: async (element) => {
      await press(element, 'Telefonda aç');
      await press(element, 'Bağlantıyı kopyala');
      await until('the link', () => find(element, '.copy-fallback input'));
    },
  },
  'an order that was begun elsewhere': {
    markup: checkout,
    isLinked: true,
    reach: async (element) => {
      await press(element, 'Siparişi aç');
      await untilText(element, 'Ödemenizi bekliyoruz');
    },
  },
  'a link that was used': {
    markup: checkout,
    isLinked: true,
    script: {faults: {preview: {kind: 'problem', code: 'handoff_invalid'}}},
    reach: async (element) => {
      await until('what is said of it', () => find(element, '[role=alert]'));
      await untilText(element, 'Çınar');
    },
  },
  'no way to a hosted page': {
    markup: payButton,
    script: {faults: {bankPage: down}},
    reach: async (element) => {
      await press(element, 'Havale ile öde');
      await untilText(element, 'yanıt vermiyor');
    },
  },
  'back from the bank page, before the money': {
    markup: payButton,
    prepare: () => comeBack('bank-page'),
    reach: reads('Ödeme sayfasını yeniden aç'),
  },
  'back from the payment page, and paid': {
    markup: payButton.replace(' lang=', ' via="payment-page" lang='),
    script: {payment: PAYMENTS.paid},
    prepare: () => comeBack('payment-page'),
    reach: reads('Ödemeniz alındı'),
  },
  'the form of a vendor': {
    markup: vendor,
    script: {vendorForm: formThat('<p>Form</p>')},
    reach: async (element) => void (await until('the form', () => find(element, 'iframe:not(.visually-hidden)'))),
  },
  'a vendor who has sent it': {
    markup: vendor,
    script: {vendorForm: ended('success')},
    reach: reads('Formu gönderdiniz'),
  },
  'a vendor who has not': {markup: vendor, script: {vendorForm: ended('failure')}, reach: reads('Formu yeniden aç')},
  'no form for a vendor': {markup: vendor, script: {faults: {vendorForm: down}}, reach: reads('yanıt vermiyor')},
  'a number the network knows': {markup: oneClick, reach: reads('Abone ol')},
};

/** The page was opened by a link. */
export function openedByLink(): void {
  (globalThis as {[link: symbol]: HandoffLink})[Symbol.for('vezne handoff')] = {vezne: 'a-code', offer: 'gold'};
}
