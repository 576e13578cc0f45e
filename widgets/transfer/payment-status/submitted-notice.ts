import type {LitElement, ReactiveController} from 'lit';
import type {Payment} from '../../../worker/contract/browser/answers.ts';
import {takeReturnOutcome} from '../../core/return-url.ts';
import {CONFIRM_MS, isNoticeSubmitted, msSinceReport, recordReport} from '../payment/purchase-payment.ts';
import type {Purchase} from '../purchase/purchase.ts';

/** The page says for this time that it checks a submitted notice. The platform usually confirms a notice faster. */
const CHECK_MS = 30_000;

/** The payment notice that the shopper has submitted on the platform's page, before the platform confirms it. */
export class SubmittedNotice implements ReactiveController {
  /** Whether the shopper has returned from the platform's page, and the page has not recorded the return yet. */
  #hasReturned = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly host: LitElement,
    readonly purchase: () => Purchase,
  ) {
    host.addController(this);
  }

  /** Whether the shopper has submitted the notice on this device. */
  get isSubmitted(): boolean {
    return isNoticeSubmitted(this.purchase());
  }

  /**
   * Whether the platform will soon say that the shopper has submitted the notice. If `sent` is null, the platform does
   * not say so.
   */
  get isBeingChecked(): boolean {
    return this.#notice?.sent === false && msSinceReport(this.purchase()) < CHECK_MS;
  }

  hostConnected(): void {
    // The outcome is read only once from the URL. So an element that is moved does not record a second return.
    if (takeReturnOutcome('notice') === 'done') this.#hasReturned = true;
  }

  hostUpdate(): void {
    // Anybody can write the return URL, so it counts only if the Worker knows a notice of this order.
    if (!this.#hasReturned || !this.#notice) return;
    this.#hasReturned = false;
    recordReport(this.purchase());
    this.#acknowledge();
  }

  hostUpdated(): void {
    this.hostDisconnected();
    // The text changes after `CHECK_MS`, and the question after `CONFIRM_MS`.
    const passedMs = msSinceReport(this.purchase());
    const nextMs = this.isBeingChecked ? CHECK_MS : CONFIRM_MS;
    if (this.isSubmitted) this.#timer = setTimeout(() => this.host.requestUpdate(), nextMs - passedMs);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
  }

  get #notice(): Payment['notice'] | undefined {
    return this.purchase().payment?.value?.notice;
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
