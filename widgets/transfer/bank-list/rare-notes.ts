/** What a bank list rarely shows: notes about a search, and about an empty list. */

import {html, type TemplateResult} from 'lit';
import type {Locale} from '../../core/locale.ts';
import {button} from '../../core/templates.ts';
import {bankListExtrasMessages} from '../../locales/bank-list-extras.ts';
import {troubleMessages} from '../../locales/trouble.ts';

/**
 * Tells the shopper that the search finds no bank.
 * @param showAll - Clears the search.
 */
export function noMatchNote(query: string, locale: Locale, showAll: () => void): TemplateResult {
  const t = bankListExtrasMessages[locale];
  return html`<p>${t.none(query)}</p>
    ${button(t.showAll, showAll)}`;
}

/**
 * Tells the shopper that there is no bank to pay into.
 * @param assurance - One sentence that tells the shopper that nothing is lost.
 */
export function emptyNote(locale: Locale, assurance: string, retry: () => void): TemplateResult {
  const {empty, emptyText} = bankListExtrasMessages[locale];
  return html`<div class="problem" part="problem" role="alert">
    <h3>${empty}</h3>
    <p class="muted">${emptyText}</p>
    <p class="muted">${assurance}</p>
    ${button(troubleMessages[locale].tryAgain, retry)}
  </div>`;
}
