/** Compiles only if the types of the package are those of the events that the elements dispatch, and of the elements. */

import type * as Package from '../../package/index.ts';
import type {ActivityEvent} from '../../widgets/activity/vezne-activity.ts';
import type {ProblemEvent} from '../../widgets/core/vezne-element.ts';
import type {RefundEvent} from '../../widgets/refund/vezne-refund-contact.ts';
import type {CancelEvent} from '../../widgets/subscription/manage/vezne-subscription.ts';
import type {PinSentEvent} from '../../widgets/subscription/pin-sent-event.ts';
import type {SubscribeEvent} from '../../widgets/subscription/subscribe-event.ts';
import type {BankSelectEvent} from '../../widgets/transfer/bank-list/vezne-bank-list.ts';
import type {RedirectEvent} from '../../widgets/transfer/pay-button/hosted-pages.ts';
import type {CopyEvent} from '../../widgets/transfer/payment-code/copy-buttons.ts';
import type {OrderCodeEvent} from '../../widgets/transfer/payment-code/vezne-payment-code.ts';
import type {NoticeEvent} from '../../widgets/transfer/payment-notice/vezne-payment-notice.ts';
import type {PurchaseEvent} from '../../widgets/transfer/payment-status/after-payment.ts';
import type {PaymentEvent} from '../../widgets/transfer/payment-status/vezne-payment-status.ts';
import type {VendorEvent} from '../../widgets/vendor-form/vezne-vendor-form.ts';

interface Dispatched {
  'vezne-bank-select': BankSelectEvent;
  'vezne-order-code': OrderCodeEvent;
  'vezne-copy': CopyEvent;
  'vezne-payment': PaymentEvent;
  'vezne-purchase': PurchaseEvent;
  'vezne-notice': NoticeEvent;
  'vezne-redirect': RedirectEvent;
  'vezne-pin-sent': PinSentEvent;
  'vezne-subscribe': SubscribeEvent;
  'vezne-cancel': CancelEvent;
  'vezne-vendor': VendorEvent;
  'vezne-refund': RefundEvent;
  'vezne-activity': ActivityEvent;
  'vezne-error': ProblemEvent;
}

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Flattens intersections, so that only the fields of a type are compared. */
type Flat<T> = T extends readonly (infer I)[]
  ? Flat<I>[]
  : T extends object
    ? {-readonly [K in keyof T]: Flat<T[K]>}
    : T;
type Fields<E> = Flat<Omit<E, keyof Event>>;

type DifferingEvents = {
  [Name in keyof Dispatched]: Same<Fields<Dispatched[Name]>, Fields<Package.VezneEvents[Name]>> extends true
    ? never
    : Name;
}[keyof Dispatched];
export const events: [DifferingEvents] extends [never] ? true : DifferingEvents = true;
export const eventNames: Same<keyof Dispatched, keyof Package.VezneEvents> = true;

/** Each public property of an element has the type that the package gives it. */
type Properties<Name extends keyof Package.VezneElements> = Omit<Package.VezneElements[Name], keyof HTMLElement>;
type DifferingElements = {
  [
    Name in keyof Package.VezneElements & keyof HTMLElementTagNameMap
  ]: HTMLElementTagNameMap[Name] extends Properties<Name> ? never : Name;
}[keyof Package.VezneElements & keyof HTMLElementTagNameMap];
export const elements: [DifferingElements] extends [never] ? true : DifferingElements = true;
