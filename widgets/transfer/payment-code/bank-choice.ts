/** How a shopper chooses the bank on a page that shows the order code without a checkout. */

import {html, type TemplateResult} from 'lit';
import {button} from '../../core/templates.ts';
import type {VezneElement} from '../../core/vezne-element.ts';
import type {PaymentMessages} from '../../locales/payment.ts';
import type {VezneBankList} from '../bank-list/vezne-bank-list.ts';

/** The element that shows the account of the bank. */
type CodeElement = Pick<VezneElement<unknown>, 'address' | 'locale' | 'offer' | 'session'> & {bank: string};

/**
 * Renders a button that focuses the bank list on the page. If the page has no bank list, or has chosen a bank that is
 * no longer listed, renders a bank list.
 */
export function bankChoice(host: CodeElement, t: PaymentMessages): TemplateResult {
  const list = host.bank ? undefined : findBankList(host);
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

/** Finds the list of banks on the page that belongs to the purchase of the host. */
function findBankList({address, offer, session}: CodeElement): VezneBankList | undefined {
  const lists = Array.from(document.querySelectorAll('vezne-bank-list'));
  return lists.find((list) => list.address === address && list.session === session && list.offer === offer);
}
