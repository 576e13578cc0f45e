import type {Activity, ActivityType} from '../../worker/contract/browser/requests.ts';
import {trackingId, randomId} from '../core/ids.ts';
import {openDelivery} from './delivery.ts';

/** One a Worker: activities leave in order. */
const deliveries: Record<string, (activity: Activity) => void> = {};
/** What this page view has been counted for. */
const countedViews = new Set<string>();
/** Which Worker the script came from: its address, with a slash at the end. */
let scriptApi = '';

/** Those on the page, in the order they came. */
const elementsOnPage = new Set<VezneActivity>();

/** The shopper allows counting: for all elements on the page that wait for it. */
function grantConsent(): void {
  (self.vezne ??= {}).consented = true;
  countPageView();
}

function countPageView(): void {
  for (const element of elementsOnPage) element.visit();
}

/** What waits to be told stands in storage: numbers and number tokens are taken out before, the rest by the Worker. */
const redactNumbers = (address: string) => address.replace(/\d{9,}/g, '-');

function onClick(event: Event): void {
  /** Elements, and what holds them: those have no attributes. */
  const path = event.composedPath() as Partial<Element>[];
  /** What the nearest element that has the attribute says. */
  const nearest = (attribute: string) => path.find((node) => node.hasAttribute?.(attribute))?.getAttribute?.(attribute);
  const type = nearest('data-vezne-track');
  const offer = nearest('offer');
  // What names no offer belongs to the first.
  const counter = [...elementsOnPage].find((element) => !offer || element.offer === offer);
  if (type) counter?.record(type as ActivityType);
}

/**
 * Counts a landing page's funnel: `visit` once a page view, and a click on whatever is marked
 * `data-vezne-track="subscribe_clicked"` or `"confirm_clicked"`, as the buttons of our own elements are. It shows nothing,
 * needs no Lit, and never delays the page: what cannot be told now is told later, in order.
 *
 * `offer` names the subscription offer whose funnel this is; `tracking-parameter` the part of the page's address that
 * carries a campaign's click id (`tracking_id` by default). Where `consent="required"` stands, nothing is counted, kept
 * or sent before the page calls `vezne.consent()` or takes the attribute away. A banner may be answered before this script
 * has come: `window.vezne ??= {consent() { this.consented = true; }}` in front of that call works whenever it is.
 *
 * @tag vezne-activity
 * @event {ActivityEvent} vezne-activity - Something was counted.
 */
export class VezneActivity extends HTMLElement {
  static readonly observedAttributes = ['consent', 'offer'];

  get offer(): string {
    return this.getAttribute('offer') ?? '';
  }

  connectedCallback(): void {
    elementsOnPage.add(this);
    this.visit();
  }

  disconnectedCallback(): void {
    elementsOnPage.delete(this);
  }

  attributeChangedCallback(): void {
    if (this.isConnected) this.visit();
  }

  /** Counts this page view, once. */
  visit(): void {
    const view = `${this.#api} ${this.offer}`;
    if (!document.prerendering && !countedViews.has(view) && this.record('visit')) countedViews.add(view);
  }

  /** Counts something. @returns Whether it may be counted. */
  record(type: ActivityType): boolean {
    if (!this.offer || (!self.vezne?.consented && this.getAttribute('consent') === 'required')) return false;
    const api = this.#api;
    const send = (deliveries[api] ??= openDelivery(api));
    const id = trackingId(this.getAttribute('tracking-parameter'));
    send({
      offer: this.offer,
      type,
      tracking_id: id,
      event_id: `${Date.now().toString(36)}-${randomId()}`,
      url: redactNumbers(location.href),
      referer: redactNumbers(document.referrer) || '-',
    });
    this.dispatchEvent(
      Object.assign(new Event('vezne-activity', {bubbles: true, composed: true}), {
        activity: type,
        trackingId: id,
      } satisfies Partial<ActivityEvent>),
    );
    return true;
  }

  get #api(): string {
    const api = this.getAttribute('api');
    return api ? new URL(`${api}/`, document.baseURI).href : scriptApi;
  }
}

declare global {
  interface Document {
    /** Whether the page is made ready before anybody asked for it; not known to every browser. */
    readonly prerendering?: boolean;
  }
}

const TAG = 'vezne-activity';

/**
 * Registers the tracker for this page, and `vezne.consent()` for its consent banner.
 * @param api address of the script's Worker, with a slash at the end.
 */
export function defineActivity(api: string): void {
  if (customElements.get(TAG)) return;
  scriptApi = api;
  // Before the page's own listeners, which may stop it or leave the page.
  document.addEventListener('click', onClick, true);
  // A page made ready before anybody asked for it is not seen until then.
  document.addEventListener('prerenderingchange', countPageView);
  (self.vezne ??= {}).consent = grantConsent;
  customElements.define(TAG, VezneActivity);
}

/** Something was counted. No class: the script that counts is weighed to the byte. */
export interface ActivityEvent extends Event {
  readonly type: 'vezne-activity';
  readonly activity: ActivityType;
  /** Under which id the visit is followed. */
  readonly trackingId: string;
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-activity': ActivityEvent;
  }
}
