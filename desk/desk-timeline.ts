import {html, nothing, type TemplateResult} from 'lit';
import type {Locale} from '../widgets/core/locale.ts';
import type {Timeline} from './client.ts';
import {DeskElement} from './desk-element.ts';
import {formatMoment, formatSum} from './format.ts';
import {nameOf, stateName} from './locales/names.ts';
import {explainProblem, isProblem} from './locales/problems.ts';
import {timelineTexts} from './locales/timeline.ts';
import {stranger} from './stranger-element.ts';

/**
 * What happened to an order, oldest first, with absolute times.
 *
 * @tag desk-timeline
 */
export class DeskTimeline extends DeskElement {
  static override properties = {timeline: {attribute: false}};

  declare timeline: Timeline | undefined;

  protected override renderContent(): TemplateResult {
    const t = timelineTexts[this.locale];
    return html`<section class="panel">
      <div class="scroll" tabindex="0" role="group" aria-label=${t.title}>
        <table class="cards" role="table">
          <caption>
            ${t.title}
          </caption>
          <thead role="rowgroup">
            <tr role="row">
              <th scope="col" role="columnheader">${t.at}</th>
              <th scope="col" role="columnheader">${t.what}</th>
              <th scope="col" role="columnheader">${t.by}</th>
              <th scope="col" role="columnheader">${t.details}</th>
            </tr>
          </thead>
          <tbody role="rowgroup">
            ${this.timeline?.items.map((item) => this.#renderItem(item))}
          </tbody>
        </table>
      </div>
    </section>`;
  }

  #renderItem(item: Timeline['items'][number]): TemplateResult {
    const {locale} = this;
    const t = timelineTexts[locale];
    const {at, what, by, key, amount, sender, state, name, id, reason, attempt, booked_at} = item;
    const details = [
      amount && formatSum(amount, locale),
      state && stateName(state, locale),
      name && nameOf(['event', 'operation', 'origin'], name, locale),
      attempt && t.attempt(attempt),
      reason && explainReason(reason, locale),
      id,
      booked_at && Date.parse(booked_at) - Date.parse(at) > 60_000 && t.booked(formatMoment(booked_at, locale)),
    ].filter(Boolean);
    return html`<tr role="row">
      <td role="cell"><time datetime=${at}>${formatMoment(at, locale)}</time></td>
      <td role="cell">${nameOf(['happening'], what, locale)}</td>
      <td role="cell">${t.actors[by]}${key ? html`<br /><span class="muted">${key}</span>` : nothing}</td>
      <td role="cell">${details.join(' · ')} ${stranger(sender)}</td>
    </tr>`;
  }
}

/** Why something failed: the code of a problem, the status of an answer, a fault, or the state of a refund. */
function explainReason(reason: string, locale: Locale): string {
  if (/^\d+$/.test(reason)) return `HTTP ${reason}`;
  return isProblem(reason) ? explainProblem(reason, locale) : nameOf(['fault', 'state'], reason, locale);
}
