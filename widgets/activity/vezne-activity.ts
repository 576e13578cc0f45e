import type {Activity, ActivityType} from '../../worker/contract/browser/requests.ts';
import {awaitsConsent, forgetVisits, trackingId} from '../core/ids.ts';
import {randomId} from '../core/random-id.ts';
import {openDelivery} from './delivery.ts';

/** The name of the element, and of its event. */
const NAME = 'vezne-activity';

/** One delivery queue per Worker, so that its activities stay in order. */
const deliveries: Record<string, (activity?: Activity) => void> = {};
/** The address of the last visit that was counted, for each Worker and offer. */
const countedViews: Record<string, string> = {};
/** Address of the Worker that served the script, with a slash at the end. */
let scriptApi: string;

/** The trackers on the page, in the order in which they were added. */
const trackers = new Set<VezneActivity>();

/** Drops the activities that wait, and the tracking id. */
function forget(): void {
  for (const deliver of Object.values(deliveries)) deliver();
  forgetVisits();
}

function countPageView(): void {
  for (const tracker of trackers) tracker.count();
}

/**
 * Removes phone numbers and number tokens from a URL, because the browser stores the queued activities. The Worker
 * removes other personal data.
 */
const redactNumbers = (url: string) => url.replace(/\d{9,}/g, '-');

function onClick(event: Event): void {
  /** Contains elements, but also documents and shadow roots, which have no attributes. */
  const path = event.composedPath() as Partial<Element>[];
  /** The attribute's value on the nearest element that has one. Setting a property sets its attribute at once. */
  const nearest = (attribute: string) => path.map((node) => node.getAttribute?.(attribute)).find((value) => value);
  const type = nearest('data-vezne-track');
  const offer = nearest('offer');
  // A click outside any element with an offer counts for the first tracker.
  if (type) [...trackers].find((tracker) => !offer || tracker.offer === offer)?.record(type as ActivityType);
}

/**
 * Counts the funnel of a landing page: one `visit` per page view, and each click on an element marked
 * `data-vezne-track="subscribe_clicked"` or `"confirm_clicked"`. The buttons of Vezne's elements have these marks. The
 * tracker shows nothing, does not use Lit and never delays the page. It sends activities in order, and retries until
 * the Worker has received them. A tracker that a library adds at another address of the page counts another visit.
 *
 * `offer` names the offer of this funnel. `tracking-parameter` names the URL query parameter that carries
 * a campaign's click id (`tracking_id` by default). With `consent="required"`, or any other text but `false`, the
 * tracker counts, stores and sends nothing until the page calls `vezne.consent()` or removes the attribute.
 * `vezne.withdrawConsent()` ends the consent. A shopper may answer the consent banner before this script has loaded:
 * `docs/elements.md` has a line for the page with which the calls work at any time.
 *
 * @tag vezne-activity
 * @attr {string} offer - The offer of this funnel.
 * @attr {string} api - Address of the Worker, if a different host served the script.
 * @attr {string} tracking-parameter - The parameter of the page's address with the campaign's click id.
 * @attr {'required'} consent - The element waits for consent.
 * @event {ActivityEvent} vezne-activity - An activity was counted.
 */
export class VezneActivity extends HTMLElement {
  static readonly observedAttributes = ['offer', 'api', 'consent', 'tracking-parameter'];

  declare offer: string;
  declare api: string;
  declare trackingParameter: string;
  declare consent: string;

  /** The page's address when the page added the element or called `visit`. A page may replace its address later. */
  #address = '';

  constructor() {
    super();
    for (const attribute of VezneActivity.observedAttributes) {
      const name = attribute.replace('-p', 'P') as 'offer';
      const set = (value: string | null) =>
        value ? this.setAttribute(attribute, value) : this.removeAttribute(attribute);
      // What a framework has set before this class was defined.
      if (this[name]) set(this[name]);
      Object.defineProperty(this, name, {get: () => this.getAttribute(attribute) ?? '', set});
    }
  }

  /** Angular and Riot add an element first, and then set its attributes one after the other, all in one task. */
  connectedCallback(): void {
    queueMicrotask(() => this.isConnected && trackers.add(this) && this.visit());
  }

  disconnectedCallback(): void {
    trackers.delete(this);
  }

  attributeChangedCallback(name: string, old: string | null, value: string | null): void {
    if (old === value || !trackers.has(this)) return;
    if (name === 'consent' && awaitsConsent(this)) forget();
    queueMicrotask(() => this.count());
  }

  /** Counts a visit, if the last visit that was counted was not at the page's address. */
  visit(): void {
    // A fragment that is no path is a place in the page.
    this.#address = location.href.replace(/#(?![/!]).*/, '');
    this.count();
  }

  /** Counts the view in which the page added the element or called `visit`, unless it is counted. */
  count(): void {
    const view = this.#api + this.offer;
    if (!document.prerendering && countedViews[view] !== this.#address && this.record('visit'))
      countedViews[view] = this.#address;
  }

  /** Counts an activity. @returns False when there is no offer or no consent. */
  record(type: ActivityType): boolean {
    if (!this.offer || awaitsConsent(this)) return false;
    const api = this.#api;
    const id = trackingId(this.trackingParameter);
    (deliveries[api] ??= openDelivery(api))({
      offer: this.offer,
      type,
      tracking_id: id,
      event_id: `${Date.now().toString(36)}-${randomId()}`,
      url: redactNumbers(location.href),
      referer: redactNumbers(document.referrer || '-'),
    });
    // No listener can cancel this event, so the result is true.
    return this.dispatchEvent(
      Object.assign(new Event(NAME, {bubbles: true, composed: true}), {
        activity: type,
        trackingId: id,
      } satisfies Partial<ActivityEvent>),
    );
  }

  get #api(): string {
    return this.api ? new URL(`${this.api}/`, document.baseURI).href : scriptApi;
  }
}

declare global {
  interface Document {
    /** Whether the browser prerenders the page before the shopper opens it. Some browsers lack this property. */
    readonly prerendering?: boolean;
  }
}

/**
 * Registers the tracker for this page, and `vezne.consent()` and `vezne.withdrawConsent()` for its consent banner.
 * @param api - Address of the script's Worker, with a slash at the end.
 */
export function defineActivity(api: string): void {
  if (customElements.get(NAME)) return;
  scriptApi = api;
  // A capturing listener runs before the page's own listeners, which may stop the event or leave the page.
  document.addEventListener('click', onClick, true);
  // A prerendered page is counted when the shopper opens it.
  document.addEventListener('prerenderingchange', countPageView);
  const page = (self.vezne ??= {});
  page.consent = () => {
    page.consented = true;
    countPageView();
  };
  page.withdrawConsent = () => {
    page.consented = false;
    forget();
  };
  // The shopper withdrew the consent before the script had loaded.
  if (page.consented === false) forget();
  customElements.define(NAME, VezneActivity);
}

/** An activity was counted. A class would add bytes to the tracker's script, so this is only an interface. */
export interface ActivityEvent extends Event {
  readonly type: 'vezne-activity';
  readonly activity: ActivityType;
  /** The id that links the steps of one visit. */
  readonly trackingId: string;
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-activity': ActivityEvent;
  }
}
