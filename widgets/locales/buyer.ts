/** Texts of the form that asks who buys. They are part of the file that loads the form. */

import type {Locale} from '../core/locale.ts';
import type {KnownPath} from '../transfer/buyer/buyer-fields.ts';

/** The texts of a field: its label, and what is wrong with it. */
interface FieldTexts {
  readonly label: string;
  readonly missing: string;
  readonly wrong?: string;
  readonly hint?: string;
}

const tr = {
  title: 'Bilgileriniz',
  seller: 'Satıcı',
  /** Below the seller's name. */
  goesTo: 'Yazdıklarınız siparişinizle birlikte satıcıya iletilir.',
  privacy: 'Aydınlatma metni',
  terms: 'Satış koşulları',
  newTab: 'yeni sekmede',
  /** How required fields are told from the others: all are required, only some, or none. */
  required: {
    all: 'Tüm alanları doldurun.',
    some: '“İsteğe bağlı” yazmayan alanlar zorunludur.',
    none: 'Dilediğiniz alanları boş bırakabilirsiniz.',
  },
  optional: 'isteğe bağlı',
  fields: {
    name: {label: 'Ad soyad', missing: 'Adınızı ve soyadınızı yazın.'},
    email: {
      label: 'E\u2011posta',
      missing: 'E\u2011posta adresinizi yazın.',
      wrong: 'E\u2011posta adresini kontrol edin. Örneğin: ad@ornek.com',
    },
    phone: {
      label: 'Cep telefonu',
      missing: 'Cep telefonu numaranızı yazın.',
      wrong: 'Numarayı kontrol edin. Yurt dışı numaraları + ile başlar.',
    },
    'address.line': {
      label: 'Açık adres',
      missing: 'Açık adresinizi yazın.',
      hint: 'Mahalle, sokak, bina ve daire numarası',
    },
    'address.district': {label: 'İlçe', missing: 'İlçenizi yazın.'},
    'address.province': {label: 'İl', missing: 'İlinizi yazın ya da seçin.'},
    'address.postal_code': {
      label: 'Posta kodu',
      missing: 'Posta kodunuzu yazın.',
      wrong: 'Posta kodu 5\u00a0haneli olmalıdır.',
    },
  } as Record<KnownPath, FieldTexts>,
  address: 'Adres',
  choose: 'Seçin',
  missing: {
    text: 'Bu alanı doldurun.',
    choice: 'Bir seçim yapın.',
    tick: 'Devam etmek için bu kutuyu işaretleyin.',
  },
  wrong: 'Bu alan bu haliyle kabul edilmedi. Kontrol edin.',
  /** The form is not the one that the shopper filled in: the offer has changed since. */
  changed: 'Satıcı bu formu değiştirdi. Kontrol edip devam edin.',
  /** Read out after the form was submitted with errors. */
  summary: (count: number) => `Düzeltmeniz gereken ${count}\u00a0alan var.`,
  priceNow: (amount: string) => `Fiyat değişti; yeni tutar ${amount}.`,
  continue: 'Devam et',
  /** In place of the form, if another element of the page has it. */
  elsewhere: 'Bilgilerinizi doldurun',
  assurance: 'Yazdıklarınız bu sekmede duruyor ve hesabınızdan para çıkmadı.',
};

export type BuyerMessages = typeof tr;

const en: BuyerMessages = {
  title: 'Your details',
  seller: 'Seller',
  goesTo: 'What you enter goes to the seller with your order.',
  privacy: 'Privacy notice',
  terms: 'Terms of sale',
  newTab: 'opens in a new tab',
  required: {
    all: 'Fill in every field.',
    some: 'Fill in every field that isn’t marked “optional”.',
    none: 'You can leave any field empty.',
  },
  optional: 'optional',
  fields: {
    name: {label: 'Full name', missing: 'Enter your full name.'},
    email: {
      label: 'E\u2011mail',
      missing: 'Enter your e\u2011mail address.',
      wrong: 'Check the e\u2011mail address. For example: name@example.com',
    },
    phone: {
      label: 'Mobile number',
      missing: 'Enter your mobile number.',
      wrong: 'Check the number. Start numbers from outside Türkiye with +.',
    },
    'address.line': {
      label: 'Street address',
      missing: 'Enter your street address.',
      hint: 'Neighborhood, street, building and apartment number',
    },
    'address.district': {label: 'District', missing: 'Enter your district.'},
    'address.province': {label: 'Province', missing: 'Enter or choose your province.'},
    'address.postal_code': {
      label: 'Postal code',
      missing: 'Enter your postal code.',
      wrong: 'A postal code has 5\u00a0digits.',
    },
  },
  address: 'Address',
  choose: 'Choose',
  missing: {
    text: 'Fill in this field.',
    choice: 'Choose one.',
    tick: 'Tick this box to continue.',
  },
  wrong: 'This wasn’t accepted. Check it.',
  changed: 'The seller has changed this form. Check it, and continue.',
  summary: (count) => (count > 1 ? `There are ${count}\u00a0fields to correct.` : 'There is one field to correct.'),
  priceNow: (amount) => `The price is now ${amount}.`,
  continue: 'Continue',
  elsewhere: 'Fill in your details',
  assurance: 'What you entered stays in this tab, and no money has left your account.',
};

export const buyerMessages: Record<Locale, BuyerMessages> = {tr, en};
