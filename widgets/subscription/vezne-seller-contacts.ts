import {html, type TemplateResult} from 'lit';
import type {Seller} from '../../worker/contract/fields.ts';
import {sellerContacts, sellerContactStyles} from '../core/seller-contacts.ts';
import {css} from '../core/styles/css.ts';
import {VezneElement} from '../core/vezne-element.ts';
import {sellerContactMessages, type SellerContactMessages} from '../locales/seller-contacts.ts';

const styles = css`
  :host {
    color-scheme: inherit;
    inline-size: 100%;
  }
  .base {
    display: grid;
    gap: 0.5em;
    padding: 0;
    background: none;
    text-align: center;
  }
`;

/**
 * The seller's name and contacts, where a text about a subscription sends the shopper to the seller. It is a separate
 * element, so that other elements can load it when they first need it.
 *
 * @tag vezne-seller-contacts
 * @csspart button - Each contact.
 */
export class VezneSellerContacts extends VezneElement<SellerContactMessages> {
  static readonly tag = 'vezne-seller-contacts';
  static override properties = {
    seller: {attribute: false},
    about: {attribute: false},
    isNextStep: {attribute: false},
  };
  static override styles = [VezneElement.styles, sellerContactStyles, styles];

  protected override readonly messages = sellerContactMessages;

  seller: Seller = {name: ''};

  /** The subscription that the shopper asks about; empty if it is not known. */
  about = '';

  /** Whether the shopper's next step is to ask the seller. */
  isNextStep = false;

  override renderSkeleton(): TemplateResult {
    return html``;
  }

  protected override renderContent(t: SellerContactMessages): TemplateResult {
    const {seller, about, isNextStep} = this;
    return html`<p class="muted">${t.seller}: ${seller.name}</p>
      ${sellerContacts(seller, {subject: t.subject(about), isNextStep}, t)}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-seller-contacts': VezneSellerContacts;
  }
}
