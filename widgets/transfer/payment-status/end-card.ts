import {html, nothing, type TemplateResult} from 'lit';
import {lazyElements} from '../../core/define.ts';
import type {Locale} from '../../core/locale.ts';
import type {OutcomeOptions} from './vezne-payment-outcome.ts';

/** The file of the card that ends a payment. */
export const outcomeElements = lazyElements(() => import('../../bundles/outcome.ts'));

/**
 * Renders the card that ends a payment. Its file must be loaded.
 * @param isQuiet - Whether the tab and the phone show nothing when the money arrives.
 */
export function endCard(
  locale: Locale,
  options: OutcomeOptions,
  isQuiet = true,
  slots: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  return html`<vezne-payment-outcome
    lang=${locale}
    exportparts="status,title,row,transaction,button"
    data-autofocus
    .options=${options}
    ?quiet=${isQuiet}
    >${slots}</vezne-payment-outcome
  >`;
}
