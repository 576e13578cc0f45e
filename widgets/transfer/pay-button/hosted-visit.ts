import type {ReactiveController} from 'lit';
import {ignoreErrors} from '../../core/ignore-errors.ts';
import type {VezneElement} from '../../core/vezne-element.ts';
import type {OpenSession} from '../purchase/facts.ts';
import type {Purchase} from '../purchase/purchase.ts';
import {takeReturnOutcome} from '../return-url.ts';
import {FailedRequest} from './failed-request.ts';
import {whenRestored} from './restored-page.ts';

/** A button that opens one of the platform's pages. */
interface Host extends VezneElement<unknown> {
  /** The page: `bank-page` or `payment-page`. */
  readonly via: string;
}

/** The visits of all buttons of the page, in the order in which the buttons were added. */
const visits = new Set<HostedVisit>();

/** Renders all buttons again, because each shows less if another one speaks of the same payment. */
function renderAll(): void {
  for (const {host} of visits) host.requestUpdate();
}

/**
 * A shopper's visit to the page that a button opens. The buttons of an order know of each other's visit. The outcome is
 * saved until the tab is closed, so that a button requests a new payment page after a failure, even if the page is
 * reloaded.
 */
export class HostedVisit implements ReactiveController {
  /**
   * The outcome in the return URL. If the shopper has left and no outcome is known, it is `away`. If the shopper has not
   * left, it is empty.
   */
  outcome = '';
  /** Whether the button is opening the page. */
  isLeaving = false;
  /** Why the page could not be opened. */
  readonly failed: FailedRequest;
  /** The name of the outcome that was read. A page may set the order, the Worker and `via` at any time. */
  #key = '';
  /** Names the order and the page, at any Worker. */
  #order = '';
  /** The session whose payment was read last. A different session means that the shopper has started another payment. */
  #session: OpenSession | undefined;

  constructor(
    readonly host: Host,
    readonly purchase: () => Purchase,
  ) {
    // This controller comes first, because another order has no failed request.
    host.addController(this);
    this.failed = new FailedRequest(host, true);
    whenRestored(host, () => this.#onRestored());
  }

  hostConnected(): void {
    visits.add(this);
    this.#key = '';
    renderAll();
  }

  hostDisconnected(): void {
    visits.delete(this);
  }

  hostUpdate(): void {
    const {key} = this;
    const {via, session: ownSession, offer} = this.host;
    const order = ownSession || offer;
    if (order && key !== this.#key) {
      if (this.#key) this.failed.problem = this.#session = undefined;
      // A page that sets the Worker last still shows the order to which the shopper has returned.
      if (this.#order !== `${via} ${order}`) this.outcome = '';
      this.#order = `${via} ${order}`;
      this.#key = key;
      const outcome = takeReturnOutcome(via);
      if (outcome) this.#save(outcome);
      this.#restore();
      renderAll();
    }
    const {session, order: shown} = this.purchase().facts;
    if (shown.payment?.status !== 'done') return;
    const before = this.#session;
    this.#session = session;
    if (before && before !== session) this.forget();
  }

  /** Names the order and the page, at this Worker. */
  get key(): string {
    const {via, address, session, offer} = this.host;
    return `vezne ${via} ${address} ${session.slice(-12) || offer}`;
  }

  /** The visit of the page's button for the same order and the platform's other page. */
  get other(): HostedVisit | undefined {
    return [...visits].find((each) => each.host.via !== this.host.via && each.purchase() === this.purchase());
  }

  /** Whether the shopper has come back without paying, as the return URL says. */
  get isUnpaid(): boolean {
    return /failure|back/.test(this.outcome);
  }

  /** Whether the shopper may have paid: nobody knows it, or the return URL says so. */
  get mayBePaid(): boolean {
    return /away|done|success/.test(this.outcome);
  }

  /** The shopper leaves now. Until a return, a button that the shopper has not used before stays as it is. */
  leave(): void {
    const before = this.outcome;
    this.#save('away');
    this.outcome = before && 'away';
  }

  /** The shopper says not to have paid, or has started another payment. */
  forget(): void {
    this.#save('');
    renderAll();
  }

  #save(outcome: string): void {
    this.outcome = outcome;
    ignoreErrors(() => (sessionStorage[this.key] = outcome));
  }

  #restore(): void {
    ignoreErrors(() => (this.outcome = sessionStorage[this.key] ?? this.outcome));
  }

  /**
   * The button of a page from the back-forward cache still says that the shopper is leaving. The saved outcome is read
   * again, because a later page in this tab may have changed it.
   */
  #onRestored(): void {
    if (this.isLeaving) this.outcome ||= 'away';
    this.isLeaving = false;
    this.#restore();
    renderAll();
  }
}
