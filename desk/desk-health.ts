import {html, nothing, type TemplateResult} from 'lit';
import {type Answer, ask, type Diagnosis} from './client.ts';
import {DeskElement} from './desk-element.ts';
import {dayOf, formatCount, formatMoment, formatSpan} from './format.ts';
import {healthTexts} from './locales/health.ts';
import {explainDelivery, nameOf, toneOf} from './locales/names.ts';
import {Polled} from './polled.ts';
import {session} from './session.ts';
import {stranger} from './stranger-element.ts';

const READ_EVERY_MS = 60_000;

interface Sweep {
  readonly service: string;
  readonly searchedAt: string | null;
}

/**
 * Whether everything works: how long ago the banks were read, webhooks, the platform's limits, and the doctor.
 *
 * @tag desk-health
 */
export class DeskHealth extends DeskElement {
  readonly #sweeps = new Polled<readonly Sweep[]>(this, readSweeps, {everyMs: READ_EVERY_MS});
  readonly #webhooks = new Polled<Answer<'listWebhooks'>>(
    this,
    (signal) => ask<'listWebhooks'>('webhooks', {}, signal),
    {everyMs: READ_EVERY_MS},
  );
  readonly #quotas = new Polled<Answer<'showQuotas'>>(this, (signal) => ask<'showQuotas'>('quotas', {}, signal), {
    everyMs: READ_EVERY_MS,
  });
  readonly #doctor = new Polled<Diagnosis>(this, (signal, say) => this.#examine(signal, say));
  #isExamined = false;

  override connectedCallback(): void {
    super.connectedCallback();
    for (const polled of [this.#sweeps, this.#webhooks, this.#quotas]) polled.show('all');
  }

  async #examine(signal: AbortSignal, say: (progress: () => string) => void): Promise<Diagnosis> {
    const startedAt = Date.now();
    const tell = () => say(() => healthTexts[this.locale].examining(Math.floor((Date.now() - startedAt) / 1000)));
    const timer = setInterval(tell, 1_000);
    try {
      return await ask<'examine'>('doctor', {}, signal);
    } finally {
      clearInterval(timer);
    }
  }

  protected override renderContent(): TemplateResult {
    const t = healthTexts[this.locale];
    return html`<div class="stack">
      <h1>${t.title}</h1>
      <section class="panel">
        <h2>${t.sweeps}</h2>
        ${this.renderPolled(this.#sweeps, (sweeps) => this.#renderSweeps(sweeps))}
      </section>
      <section class="panel">
        <h2>${t.webhooks}</h2>
        ${this.renderPolled(this.#webhooks, ({items}) => this.#renderWebhooks(items))}
      </section>
      <section class="panel">
        <h2>${t.quotas}</h2>
        ${this.renderPolled(this.#quotas, ({items}) => this.#renderQuotas(items))}
      </section>
      <section class="panel">
        <h2>${t.doctor}</h2>
        <p class="muted">${t.doctorText}</p>
        <div class="row">
          <button type="button" class="button soft" ?disabled=${this.#doctor.isLoading} @click=${this.#onExamine}>${t.examine}</button>
        </div>
        ${this.#isExamined ? this.renderPolled(this.#doctor, (diagnosis) => this.#renderDiagnosis(diagnosis)) : nothing}
      </section>
    </div>`;
  }

  #renderTable(label: string, heads: readonly string[], rows: readonly (readonly unknown[])[]): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="group" aria-label=${label}>
      <table aria-label=${label}>
        <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
        <tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
      </table>
    </div>`;
  }

  #moment(at: string | null): string {
    return at === null ? '–' : formatMoment(at, this.locale);
  }

  #renderSweeps(sweeps: readonly Sweep[]): TemplateResult {
    const t = healthTexts[this.locale];
    return this.#renderTable(
      t.sweeps,
      [t.service, t.readAt, t.lag],
      sweeps.map(({service, searchedAt}) => [
        service,
        searchedAt === null ? t.never : this.#moment(searchedAt),
        searchedAt === null ? '–' : formatSpan(Date.now() - Date.parse(searchedAt), this.locale),
      ]),
    );
  }

  #renderWebhooks(items: Answer<'listWebhooks'>['items']): TemplateResult {
    const t = healthTexts[this.locale];
    if (items.length === 0) return html`<p>${t.noWebhooks}</p>`;
    return this.#renderTable(
      t.webhooks,
      [t.address, t.waiting, t.lastSuccess, t.lastFailure],
      items.map(({url, enabled, waiting, last_success_at, last_failure_at, last_status, last_fault}) => [
        html`${stranger(url)} <span class=${enabled ? 'tag good' : 'tag bad'}>${enabled ? t.on : t.off}</span>`,
        html`<span class=${waiting > 0 ? 'tag warn' : 'tag'}>${formatCount(waiting, this.locale)}</span>`,
        this.#moment(last_success_at),
        html`${this.#moment(last_failure_at)} ${explainDelivery({last_status, last_fault}, this.locale)}`,
      ]),
    );
  }

  #renderQuotas(items: Answer<'showQuotas'>['items']): TemplateResult {
    const {locale} = this;
    const t = healthTexts[locale];
    const count = (value: number | null) => (value === null ? t.noLimit : formatCount(value, locale));
    return this.#renderTable(
      t.quotas,
      [t.limit, t.used, t.left, t.queued],
      items.map(({name, used, left, waiting}) => [
        nameOf(['quota'], name, locale),
        count(used),
        count(left),
        count(waiting),
      ]),
    );
  }

  #renderDiagnosis({healthy, checks}: Diagnosis): TemplateResult {
    const t = healthTexts[this.locale];
    return html`<p role="status"><strong>${healthy ? t.healthy : t.unhealthy}</strong></p>
      ${this.#renderTable(
        t.doctor,
        [t.check, t.result],
        checks.map(({name, state, message, action}) => [
          html`${nameOf(['check'], name, this.locale)}<br /><span class=${toneOf(state)}>${nameOf(['result'], state, this.locale)}</span>`,
          html`<span lang="en">${message} ${action}</span>`,
        ]),
      )}`;
  }

  #onExamine(): void {
    if (this.#isExamined) this.#doctor.reload();
    this.#isExamined = true;
    this.#doctor.show('doctor');
  }
}

/** Today's sums say when new money was read last. */
async function readSweeps(signal: AbortSignal): Promise<readonly Sweep[]> {
  const sweeps: Sweep[] = [];
  for (const service of session?.services ?? []) {
    const {searched_at} = await ask<'showDay'>(`days/${dayOf(new Date())}`, {service}, signal);
    sweeps.push({service, searchedAt: searched_at});
  }
  return sweeps;
}
