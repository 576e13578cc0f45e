import type {LitElement, ReactiveController} from 'lit';
import {valueOf} from '../../core/query.ts';
import {StoreController} from '../../core/store.ts';
import {next} from '../payment/payment-events.ts';
import type {PaymentView} from '../payment/payment-view.ts';
import type {Purchase} from '../purchase/purchase.ts';
import {noticeElements} from './forgotten-code.ts';

/**
 * Records that the shopper has returned from the platform's page for payment notices after submitting one, and renders
 * the host again when the view changes by itself, because the platform has not confirmed the notice.
 */
export class SubmittedNotice implements ReactiveController {
  /** Whether the shopper has returned from the platform's page, and the page has not recorded the return yet. */
  #hasReturned = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly host: LitElement,
    readonly purchase: () => Purchase,
    readonly view: () => PaymentView,
  ) {
    host.addController(this);
    // The file of the form, which the shopper has used before, reads the return URL.
    void new StoreController(
      host,
      () => (location.search.includes('=notice.') ? noticeElements : undefined),
      (store) => {
        // The outcome is read only once from the URL. So an element that is moved does not record a second return.
        this.#hasReturned ||= store?.value?.takeReturnOutcome('notice') === 'done';
      },
    );
  }

  hostUpdate(): void {
    // Anybody can write the return URL, so it counts only if the Worker knows a notice of this order.
    if (!this.#hasReturned || !valueOf(this.purchase().facts.order.payment)?.notice) return;
    this.#hasReturned = false;
    this.purchase().send({is: 'report-submitted', at: Date.now()}, next);
    this.#acknowledge();
  }

  hostUpdated(): void {
    this.hostDisconnected();
    const {changesInMs} = this.view();
    if (changesInMs !== undefined) this.#timer = setTimeout(() => this.host.requestUpdate(), changesInMs);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
  }

  /**
   * Moves the focus of a shopper who has returned from the platform's page to the status of the report. Waits for the
   * next frame, because a checkout first shows the hidden status and changes its place.
   */
  #acknowledge(): void {
    requestAnimationFrame(() => {
      this.host.focus({preventScroll: true});
      this.host.scrollIntoView({block: 'center'});
    });
  }
}
