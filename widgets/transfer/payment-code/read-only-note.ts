import {html, nothing, type TemplateResult} from 'lit';
import {button} from '../../core/templates.ts';
import type {PaymentMessages} from '../../locales/payment.ts';
import {isReadOnly} from '../payment/purchase-payment.ts';
import type {PurchaseController} from '../purchase/purchase-controller.ts';

/**
 * Renders a warning before the shopper pays: the order was started on another device, or this page can no longer show
 * whether the order is paid.
 */
export function readOnlyNote(
  {startOver, current}: PurchaseController,
  t: PaymentMessages,
): TemplateResult | typeof nothing {
  const {isSessionEnded, isFromHandoff, ownStorage, key} = current;
  if (!isReadOnly(current)) return nothing;
  const isOwnWaiting = isFromHandoff && (key.session !== '' || ownStorage.read().stage === 'pay');
  return html`<div class="origin" part="advice">
    <p>${isSessionEnded ? t.lost : t.begunElsewhere}</p>
    ${startOver ? button(isOwnWaiting ? t.backToOwn : startOver.label, startOver.press, 'link') : nothing}
  </div>`;
}
