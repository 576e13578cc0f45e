/** How a shopper reaches the seller. The contacts look the same after a payment and in a subscription. */

import {html, nothing, type TemplateResult} from 'lit';
import type {Seller} from '../../worker/contract/fields.ts';
import type {SellerContactMessages} from '../locales/seller-contacts.ts';
import {css} from './styles/css.ts';

interface ContactOptions {
  /** The subject of an e-mail. */
  readonly subject: string;
  /** Whether the shopper's next step is to ask the seller. If so, the first contact is a button. */
  readonly isNextStep: boolean;
  /** How many contacts are shown; all by default. */
  readonly limit?: number | undefined;
}

/** Renders a link for each contact: the seller's page, e-mail and phone. */
export function sellerContacts(
  {support_url: url, support_email: email, support_phone: phone}: Seller,
  {subject, isNextStep, limit}: ContactOptions,
  t: SellerContactMessages,
): TemplateResult | typeof nothing {
  const contacts = [
    url && [t.write, url],
    email && [t.email, `mailto:${email}?subject=${encodeURIComponent(subject)}`],
    phone && [t.call(phone.replaceAll(' ', '\u00a0')), `tel:${phone.replace(/[^+\d]/g, '')}`],
  ]
    .filter((contact) => !!contact)
    .slice(0, limit);
  if (contacts.length === 0) return nothing;
  return html`<div class="contacts">
    ${contacts.map(
      ([label, address], index) => html`<a
        class=${isNextStep && index === 0 ? 'button' : 'link'}
        part="button"
        href=${address}
        target=${address === url ? '_blank' : nothing}
        rel=${address === url ? 'noopener' : nothing}
        >${label}${address === url ? html`<span class="visually-hidden">, ${t.newTab}</span>` : nothing}</a
      >`,
    )}
  </div>`;
}

export const sellerContactStyles = css`
  a.button {
    text-decoration: none;
  }
  a.link {
    align-content: center;
  }
  .contacts {
    display: grid;
    justify-items: center;
  }
  @media print {
    .contacts {
      display: none;
    }
  }
`;
