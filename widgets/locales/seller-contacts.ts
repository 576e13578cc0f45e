/** Texts of the links with which a shopper reaches the seller. */

import type {Locale} from '../core/locale.ts';

const tr = {
  seller: 'Satıcı',
  write: 'Satıcıyla iletişime geç',
  /** Read out after the label of a link that opens another tab. */
  newTab: 'yeni sekmede',
  email: 'Satıcıya e\u2011posta gönder',
  call: (phone: string) => `Satıcıyı ara: ${phone}`,
  /** The subject of an e-mail about a subscription. @param about - The subscription, if it is known. */
  subject: (about: string) => (about ? `Abonelik: ${about}` : 'Aboneliğim'),
};

export type SellerContactMessages = typeof tr;

const en: SellerContactMessages = {
  seller: 'Seller',
  write: 'Contact the seller',
  newTab: 'opens in a new tab',
  email: 'E-mail the seller',
  call: (phone) => `Call the seller: ${phone}`,
  subject: (about) => (about ? `Subscription: ${about}` : 'My subscription'),
};

export const sellerContactMessages: Record<Locale, SellerContactMessages> = {tr, en};
