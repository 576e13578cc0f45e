/**
 * The shop sells the same lamp in two ways to the same browser, which share one order. An element shows the payment that
 * the shopper made with that element. If the order was paid in the other way, the page shows that instead of an
 * invitation to pay. A real shop would know the state of the order from its server.
 */

import {load, PAID, save} from './saved.ts';

const PAID_STATES: ReadonlySet<string> = new Set(['paid', 'overpaid', 'completed']);
/** The offer of the lamp that both ways sell. The offer with another deadline is an order of its own. */
export const SHARED_OFFER = 'gold';

export interface ShownPayment {
  readonly state: string;
  readonly late: boolean;
  /** Money that arrived and was not refunded. */
  readonly paid: string;
  readonly refunding: string;
}

type PaymentEvent = Event & {readonly payment: ShownPayment};

/** Returns whether no more money is expected in this state of a payment. */
export function isPaidState(state: string): boolean {
  return PAID_STATES.has(state);
}

/** Returns whether the shop sends the goods: the seller still has to decide about late money, unless the order is completed. */
export function promisesDelivery({state, late, paid, refunding}: ShownPayment): boolean {
  const isReturning = Number(refunding) > 0 && Number(refunding) >= Number(paid);
  return isPaidState(state) && (!late || state === 'completed') && !isReturning;
}

const isOfOrder = ({target}: Event) => (target as Element).getAttribute('offer') === SHARED_OFFER;
const setPaid = (isPaid: boolean) => save(PAID, isPaid ? 'yes' : '');

/** @param hasCheckout - Whether the page has an element that shows the order's payment, wherever it was paid. */
export function sharePaidOrder(hasCheckout: boolean): void {
  const card = document.querySelector<HTMLElement>('#paid-order');
  /** The parts that invite the shopper to pay. */
  const invitations = document.querySelectorAll<HTMLElement>('[data-unpaid]');
  const show = (isPaid: boolean): void => {
    if (!card) return;
    card.hidden = !isPaid;
    for (const part of invitations) part.hidden = isPaid;
  };
  let isShownByElement = false;
  const showSaved = () => show(load(PAID) !== '' && !hasCheckout);
  showSaved();
  // The shopper may pay in another tab. An element that shows the payment learns of that by itself.
  addEventListener('storage', () => {
    if (!isShownByElement) showSaved();
  });

  const primaryLinks = document.querySelectorAll('[slot=paid] a.call');
  document.addEventListener('vezne-payment', (event) => {
    const {state, late} = (event as PaymentEvent).payment;
    // After a late payment or an overpayment, the seller's contact is the only primary button.
    for (const link of primaryLinks) link.classList.toggle('call', !late && state !== 'overpaid');
    if (!isOfOrder(event)) return;
    setPaid(isPaidState(state));
    isShownByElement = true;
    show(false);
  });
  for (const type of ['vezne-order-code', 'vezne-redirect']) {
    document.addEventListener(type, (event) => {
      if (isOfOrder(event)) setPaid(false);
    });
  }
  // The Worker refuses a second payment of an order that was paid on another device.
  document.addEventListener('vezne-error', (event) => {
    if (!isOfOrder(event) || (event as Event & {readonly code: string}).code !== 'order_paid') return;
    setPaid(true);
    show(true);
  });
}
