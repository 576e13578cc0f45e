import type {TemplateResult} from 'lit';
import type * as cards from '../bundles/subscription-end.ts';
import {lazyElements} from '../core/define.ts';
import {enrollmentMessages} from '../locales/enrollment.ts';
import {pinSubscribeMessages} from '../locales/pin-subscribe.ts';
import type {EnrollmentFacts} from './enrollment-facts.ts';
import type {EndView} from './enrollment-view.ts';
import {type Enrollment, findEnrollment} from './enrollment.ts';
import type {SubscriptionController, SubscriptionHost} from './offer.ts';
import type * as afterRefusal from './pin-subscribe/after-refusal.ts';
import type {Enrollee} from './saved-pin.ts';
import {SubscribeEvent} from './subscribe-event.ts';
import {refusalTitle, ViewController} from './view-controller.ts';

const endCards = lazyElements(() => import('../bundles/subscription-end.ts'));
const rareParts = lazyElements(() => import('./pin-subscribe/after-refusal.ts'));

/** Shows an enrollment in its host. */
export class EnrollmentController<V extends {readonly is: string}> extends ViewController<Enrollment, V, typeof cards> {
  /**
   * @param viewOf - `now`: epoch milliseconds of this device.
   * @param subscription - Set if the host tells the page that the subscription has started.
   */
  constructor(
    host: SubscriptionHost,
    viewOf: (facts: EnrollmentFacts, now: number) => V,
    subscription?: SubscriptionController,
    onView: (view: V, before: V | undefined) => void = () => {},
  ) {
    super({
      host,
      cards: endCards,
      find: () => findEnrollment(host.address, {offer: host.offer, session: host.session}),
      viewOf: ({facts}) => viewOf(facts, Date.now()),
      onView: (view, before) => {
        // If the subscription started before the page was reloaded, the page already received this event.
        const isNews = view.is === 'started' && before && before.is !== 'started';
        if (isNews && subscription) this.#announceStart(subscription.trackingId);
        onView(view, before);
      },
    });
  }

  /** What the number form shows in rare states. */
  get rare(): typeof afterRefusal | undefined {
    return this.file(rareParts);
  }

  /** Lets the shopper enter a PIN that this page did not request. */
  knowPin(enrollee: Enrollee): void {
    const {rare} = this;
    if (rare) this.current.send({enrollee, at: Date.now()}, rare.nextAfterPin);
  }

  /** Tells the page that the subscription has started. Only the page's first event bubbles. */
  #announceStart(trackingId: string): void {
    const {current} = this;
    const isFirst = !current.facts.isAnnounced;
    current.send({is: 'announced'});
    this.host.dispatchEvent(new SubscribeEvent(trackingId, isFirst));
  }

  /** Renders how the enrollment has ended. @param useOtherNumber - Lets the shopper subscribe another number. */
  renderEnd(
    view: EndView,
    {terms: {value: terms}}: SubscriptionController,
    useOtherNumber: () => void,
  ): TemplateResult {
    const {host} = this;
    const {doneTitle} = enrollmentMessages[host.locale];
    if (view.is === 'started')
      return this.render(doneTitle, ({doneCard}) => doneCard(doneTitle, view.start, {terms, view: this}));
    const {assurance} = pinSubscribeMessages[host.locale];
    return this.render(
      refusalTitle(view.problem, host.locale),
      ({refusalCard}) => refusalCard(view, {terms, view: this, useOtherNumber}, assurance),
      !terms,
    );
  }
}
