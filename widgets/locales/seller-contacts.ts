/** Texts of the links with which a shopper reaches the seller. */

import type {Locale} from '../core/locale.ts';

export interface SellerContactMessages {
  readonly seller: string;
  readonly write: string;
  /** Read out after the label of a link that opens another tab. */
  readonly newTab: string;
  readonly email: string;
  readonly call: (phone: string) => string;
  /** The subject of an e-mail about a subscription. @param about - The subscription, if it is known. */
  readonly subject: (about: string) => string;
}

export const sellerContactMessages: Record<Locale, SellerContactMessages> = {
  tr: {
    seller: 'Satıcı',
    write: 'Satıcıya yaz',
    newTab: 'yeni sekmede açılır',
    email: 'Satıcıya e\u2011posta gönder',
    call: (phone) => `Satıcıyı ara: ${phone}`,
    subject: (about) => (about ? `Abonelik: ${about}` : 'Aboneliğim'),
  },
  en: {
    seller: 'Seller',
    write: 'Contact the seller',
    newTab: 'opens in a new tab',
    email: 'E-mail the seller',
    call: (phone) => `Call the seller: ${phone}`,
    subject: (about) => (about ? `Subscription: ${about}` : 'My subscription'),
  },
};
