import {html, type TemplateResult} from 'lit';
import {css} from '../widgets/core/styles/css.ts';
import type {Picture} from './day-plot.ts';
import {DeskElement} from './desk-element.ts';
import {deskStyles} from './desk.styles.ts';
import {formatSum, sumOf} from './format.ts';
import {dayTexts} from './locales/day.ts';

/**
 * A picture of numbers, and the same numbers as a table.
 *
 * @tag desk-picture
 */
export class DeskPicture extends DeskElement {
  static override styles = [
    ...deskStyles,
    css`
      .plot {
        min-block-size: 180px;
      }
    `,
  ];
  static override properties = {picture: {attribute: false}, heading: {}};

  declare picture: Picture | undefined;
  declare heading: string;

  #drawn: {resize(): void; remove(): void} | undefined;
  readonly #resizes = new ResizeObserver(() => this.#drawn?.resize());
  readonly #scheme = matchMedia('(prefers-color-scheme: dark)');
  readonly #onScheme = () => void this.#draw();

  override connectedCallback(): void {
    super.connectedCallback();
    this.#scheme.addEventListener('change', this.#onScheme);
    this.#resizes.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#scheme.removeEventListener('change', this.#onScheme);
    this.#resizes.disconnect();
  }

  protected override renderContent(): TemplateResult {
    const {picture, locale} = this;
    const t = dayTexts[locale];
    const amounts = picture?.values.map((value) => value.toFixed(2)) ?? [];
    const row = (label: string, amount = '0.00') =>
      html`<tr><th scope="row">${label}</th><td class="number">${formatSum(amount, locale)}</td></tr>`;
    return html`<section class="panel">
      <h2>${this.heading}</h2>
      <div class="plot" aria-hidden="true"></div>
      <details>
        <summary>${t.table}</summary>
        <table aria-label=${this.heading}>
          <tbody>${picture?.labels.map((label, index) => row(label, amounts[index]))}</tbody>
          <tfoot>${row(t.total, sumOf(amounts))}</tfoot>
        </table>
      </details>
    </section>`;
  }

  protected override updated(): void {
    void this.#draw();
  }

  async #draw(): Promise<void> {
    const {draw, plotStyles} = await import('./day-plot.ts');
    const root = this.renderRoot as ShadowRoot;
    const target = root.querySelector<HTMLElement>('.plot');
    if (!target || !this.picture) return;
    if (!this.#drawn) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(plotStyles);
      root.adoptedStyleSheets.push(sheet);
    }
    this.#drawn?.remove();
    this.#drawn = draw(target, this.picture);
  }
}
