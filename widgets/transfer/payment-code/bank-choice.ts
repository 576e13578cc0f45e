/** How a shopper chooses the bank on a page that shows the order code without a checkout. */

import {html, type TemplateResult} from 'lit';
import {button} from '../../core/templates.ts';
import type {VezneElement} from '../../core/vezne-element.ts';
import type {PaymentMessages} from '../../locales/payment.ts';

/** The element that shows the account of the bank. */
type CodeElement = Pick<VezneElement<unknown>, 'address' | 'locale' | 'offer' | 'session'> & {bank: string};

/**
 * Renders a button that focuses the bank list on the page. If the page has no bank list, or has chosen a bank that is
 * no longer listed, renders a bank list.
 */
export function bankChoice(host: CodeElement, t: PaymentMessages): TemplateResult {
  const list = host.bank ? undefined : elementBeside(host, 'vezne-bank-list');
  if (list) return button(t.bankChoose, () => list.focus(), 'button');
  return html`<vezne-bank-list
    lang=${host.locale}
    exportparts="search,bank,logo,problem,button"
    .offer=${host.offer}
    .session=${host.session}
    .api=${host.address}
    @vezne-bank-select=${() => (host.bank = '')}
  ></vezne-bank-list>`;
}

/** Finds an element of the page that belongs to the purchase of the host. */
export function elementBeside<Tag extends 'vezne-bank-list' | 'vezne-payment-status'>(
  {address, offer, session}: Omit<CodeElement, 'bank'>,
  tag: Tag,
): HTMLElementTagNameMap[Tag] | undefined {
  return Array.from(document.querySelectorAll(tag)).find(
    (each) => each.address === address && each.session === session && each.offer === offer,
  );
}
