/** An offer that the settings lack: a new one, or one that also asks who buys. */

import {stringify} from 'smol-toml';
import {readAmount} from '../amount.ts';
import {type Choices, offerName} from './choices.ts';
import {type Offer, offerNames, type Offers, rowOf} from './elements.ts';

/** What the buyer consents to, which the offer says in its own words. */
const MARKETING = {tr: 'Kampanyalardan haberdar olmak isterim.', en: 'Send me offers.'};

/** Where the buyer reads what happens to the fields; a merchant writes the address of their own page. */
const PRIVACY = 'https://shop.example/privacy';

/** Who asks, and helps where only the seller can; a merchant writes their own shop. */
export const SELLER = {
  name: 'Fener Atölyesi',
  support_email: 'destek@fener.example',
  support_phone: '0850 000 00 00',
};

/** What the Worker accepts (`worker/contract/offers.ts`). */
const NAME = /^[\w-]{1,40}$/;

/** What an offer lacks, by the field in which it is missing or wrong. */
export type Gap = 'offer' | 'name' | 'taken' | 'title' | 'amount';

/** What has to be chosen or corrected before the lines for a page can work. */
export function gapsOf(choices: Choices, offers: Offers, language: string): Gap[] {
  const {element, offer, name, title, amount} = choices;
  const {source} = rowOf(element);
  if (offer !== '' || source === 'session' || source === 'link') return [];
  if (source === 'subscription') return ['offer'];
  return [
    ...(NAME.test(name) ? [] : (['name'] as const)),
    ...(Object.hasOwn(offers, name) ? (['taken'] as const) : []),
    ...(title === '' ? (['title'] as const) : []),
    ...(readAmount(amount, language) === undefined ? (['amount'] as const) : []),
  ];
}

/** The offer, as the merchant API and `vezne.toml` have it; undefined if the settings have it already. */
export function ownOffer(choices: Choices, offers: Offers, language: string): Offer | undefined {
  const {element, offer, title, fields} = choices;
  if (rowOf(element).source !== 'payment' || (offer !== '' && fields.length === 0)) return undefined;
  const [model] = offerNames(choices.element, offers);
  const {service = 'DEMO', seller}: Partial<Offer> = offers[model ?? ''] ?? {};
  const own: Offer = offers[offer] ?? {
    kind: 'payment',
    service,
    amount: readAmount(choices.amount, language) ?? '',
    title: {tr: title, en: title},
    ...(seller !== undefined && {seller}),
  };
  if (fields.length === 0) return own;
  const asked = fields.map((field) => [field, field === 'marketing' ? MARKETING : 'required']);
  return {privacy_url: PRIVACY, seller: SELLER, ...own, fields: Object.fromEntries(asked)};
}

/** The lines of `vezne.toml`; an empty text if the settings have the offer. */
export function offerLines(choices: Choices, offers: Offers, language: string): string {
  const own = ownOffer(choices, offers, language);
  return own ? stringify({vars: {OFFERS: {[offerName(choices)]: own}}}).trim() : '';
}
