/** How a shopper chooses the bank on a page that shows the order code without a checkout. */

import {html, type TemplateResult} from 'lit';
import type {VezneElement} from '../../core/vezne-element.ts';
import type {VezneBankList} from '../bank-list/vezne-bank-list.ts';

type Host = Pick<VezneElement<unknown>, 'address' | 'locale' | 'offer' | 'session'>;

/** Finds the list of banks on the page that belongs to the purchase of the host. */
export function findBankList({address, offer, session}: Host): VezneBankList | undefined {
  const lists = Array.from(document.querySelectorAll('vezne-bank-list'));
  return lists.find((list) => list.address === address && list.session === session && list.offer === offer);
}

/** @param onSelect called when the shopper has chosen a bank. */
export function inlineBankList({address, locale, offer, session}: Host, onSelect: () => void): TemplateResult {
  return html`<vezne-bank-list
    lang=${locale}
    exportparts="search,bank,logo,problem,button"
    .offer=${offer}
    .session=${session}
    .api=${address}
    @vezne-bank-select=${onSelect}
  ></vezne-bank-list>`;
}
