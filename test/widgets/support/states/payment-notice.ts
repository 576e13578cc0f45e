/** The states of `vezne-payment-notice`. */

import type {ErrorCode} from '../../../../worker/contract/codes.ts';
import {find, until, untilText} from '../page.ts';
import {press, typeInto} from '../shopper.ts';
import {held, refused, showsSkeleton, showsText, unavailable, type State, type States} from './state.ts';

const notice = '<vezne-payment-notice offer="gold" lang="tr"></vezne-payment-notice>';

const send = async (element: Element): Promise<void> => {
  await typeInto(element, '#bank', 'cinar');
  await typeInto(element, '#amount', '149,90');
  await typeInto(element, '#when', '2025-11-20T10:00');
  await press(element, 'Ödememi bildir');
};
const refusal = (code: ErrorCode, expected: string): State => ({
  markup: notice,
  script: {faults: {notice: refused(code, {retryAfter: code === 'rate_limited' ? 30 : 0})}},
  reach: async (element) => {
    await send(element);
    await untilText(element, expected);
  },
});
const withDetails = async (element: Element): Promise<void> => {
  await untilText(element, 'Bilgi ekleyin');
  (find(element, 'details') as HTMLDetailsElement).open = true;
};

export const PAYMENT_NOTICE_STATES: States = {
  'a payment notice form': {markup: notice, reach: showsText('Ödememi bildir')},
  'a payment notice form that is loading': {markup: notice, script: {faults: {banks: held}}, reach: showsSkeleton},
  'a payment notice form that failed': {
    markup: notice,
    script: {faults: {banks: unavailable}},
    reach: showsText('yanıt vermiyor'),
  },
  'a payment notice form that was sent empty': {
    markup: notice,
    script: {faults: {prefill: unavailable}},
    reach: async (element) => {
      await press(element, 'Ödememi bildir');
      await untilText(element, 'Parayı hangi bankadaki hesaba');
    },
  },
  'a payment notice form for money that was sent yesterday': {
    markup: notice,
    reach: async (element) => {
      await press(element, 'Dün');
      await untilText(element, 'Türkiye saatiyle');
    },
  },
  'a payment notice form with more details': {markup: notice, reach: withDetails},
  'a payment notice form with details that the Worker knows': {
    markup: notice,
    script: {
      prefill: {
        order: 'P-1009',
        amount: '149.90',
        name: 'Ada Deniz',
        email: 'ada@mail.example',
        phone: '5321234567',
        description: 'P-1009',
      },
    },
    reach: async (element) => {
      await withDetails(element);
      await until('the name', () => find<HTMLInputElement>(element, '#name')?.value);
    },
  },
  'a payment notice form with wrong details': {
    markup: notice,
    reach: async (element) => {
      await withDetails(element);
      await typeInto(element, '#email', 'ada');
      await typeInto(element, '#identity', '123');
      await send(element);
      await untilText(element, 'E-posta adresini kontrol edin');
    },
  },
  'a payment notice form that is being sent': {
    markup: notice,
    script: {faults: {notice: held}},
    reach: async (element) => {
      await send(element);
      await untilText(element, 'Gönderiliyor');
    },
  },
  'a payment notice that failed': refusal('temporarily_unavailable', 'henüz gönderilmedi'),
  'a payment notice that is rate limited': refusal('rate_limited', 'henüz gönderilmedi'),
  'a payment notice that is refused': refusal('platform_refused', 'Hata kodu'),
  'a payment notice whose session has ended': refusal('session_expired', 'Sayfanın süresi doldu'),
  'a payment notice of an order that is paid already': refusal('order_paid', 'ödenecek tutar kalmadı'),
};
