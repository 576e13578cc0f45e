/** Texts of the card that ends a payment. The sentences about each state are in `payment.ts`. */

import type {Locale} from '../core/locale.ts';

const tr = {
  order: 'Sipariş no.',
  code: 'Ödeme kodu',
  seller: 'Satıcı',
  received: (bank: string) => `${bank} hesabına`,
  phoneBill: 'Telefon faturasından',
  refunded: 'İade',
  copy: 'Kopyala',
  copied: 'Kopyalandı',
  copyByHand: 'Tarayıcınız kopyalamaya izin vermedi. Seçili metne basılı tutup “Kopyala”yı seçin.',
  copyAll: 'Tümünü kopyala',
  print: 'Yazdır',
  share: 'Paylaş',
  write: 'Satıcıya yazın',
  newTab: 'yeni sekmede açılır',
  email: 'Satıcıya e-posta gönderin',
  call: (phone: string) => `Satıcıyı arayın: ${phone}`,
  subject: (reference: string) => `${reference} numaralı sipariş`,
  orderAgain: 'Yeni bir sipariş verin',
  tab: 'Ödendi',
};

const en: typeof tr = {
  order: 'Order',
  code: 'Payment code',
  seller: 'Seller',
  received: (bank) => `To ${bank}`,
  phoneBill: 'From your phone bill',
  refunded: 'Refunded',
  copy: 'Copy',
  copied: 'Copied',
  copyByHand: 'Your browser blocked copying. Press and hold the selected text, then choose “Copy”.',
  copyAll: 'Copy all',
  print: 'Print',
  share: 'Share',
  write: 'Contact the seller',
  newTab: 'opens in a new tab',
  email: 'E-mail the seller',
  call: (phone) => `Call the seller: ${phone}`,
  subject: (reference) => `Order ${reference}`,
  orderAgain: 'Place another order',
  tab: 'Paid',
};

export type PaymentOutcomeMessages = typeof tr;

export const paymentOutcomeMessages: Record<Locale, PaymentOutcomeMessages> = {tr, en};
