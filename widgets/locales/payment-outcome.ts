/** Texts of the card that ends a payment. The card also shows texts of `payment.ts`. */

import type {Locale} from '../core/locale.ts';
import {paymentMessages, type PaymentMessages} from './payment.ts';

const tr = {
  // The way of the money
  wayOfMoney: 'Paranızın yolu',
  sentPoint: 'Gönderildi',
  bankPoint: 'Bankada',
  searchPoint: 'Aranıyor',
  herePoint: 'Ulaştı',

  order: 'Sipariş no.',
  code: 'Ödeme kodu',
  seller: 'Satıcı',
  refunded: 'İade edilen tutar',
  due: 'Sipariş tutarı',
  foreignTitle: 'Ödemeniz Türk lirası olarak gelmedi',
  print: 'Yazdır',
  share: 'Paylaş',
  subject: (reference: string) => `${reference} numaralı sipariş`,
  orderAgain: 'Yeni bir sipariş ver',
  notSent: 'Ödemedim, yeni ödeme başlat',
  afterSoon: '5 saniye içinde satıcının sayfasına geçeceksiniz.',
  afterNow: 'Satıcının sayfasına geç',
  afterStay: 'Bu sayfada kal',
  tab: 'Ödendi',
};

const en: typeof tr = {
  // The way of the money
  wayOfMoney: 'Where your money is',
  sentPoint: 'Sent',
  bankPoint: 'At the bank',
  searchPoint: 'Being traced',
  herePoint: 'Received',

  order: 'Order number',
  code: 'Payment code',
  seller: 'Seller',
  refunded: 'Refunded amount',
  due: 'Order amount',
  foreignTitle: 'Your payment wasn’t in Turkish lira',
  print: 'Print',
  share: 'Share',
  subject: (reference) => `Order ${reference}`,
  orderAgain: 'Place another order',
  notSent: 'I haven’t paid, start a new payment',
  afterSoon: 'You’ll go to the seller’s page in 5 seconds.',
  afterNow: 'Go to the seller’s page',
  afterStay: 'Stay on this page',
  tab: 'Paid',
};

export type PaymentOutcomeMessages = PaymentMessages & typeof tr;

export const paymentOutcomeMessages: Record<Locale, PaymentOutcomeMessages> = {
  get tr() {
    return {...paymentMessages.tr, ...tr};
  },
  get en() {
    return {...paymentMessages.en, ...en};
  },
};
