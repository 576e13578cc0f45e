import {html, type TemplateResult} from 'lit';
import {type Result, resultCard, resultStyles} from './result.ts';
import {css} from './styles/css.ts';
import {VezneElement} from './vezne-element.ts';

const styles = css`
  /* The card uses the color scheme of the element around it, not the device's. */
  :host {
    color-scheme: inherit;
  }
  .base {
    padding: 0;
  }
  /* As the card's own links. A page's colors of links are for the page's background. */
  ::slotted(a:not([part])) {
    background: none !important;
    color: var(--_link) !important;
    font-weight: 600;
  }
  /* The next step looks like the main button. */
  ::slotted(a[slot='done']) {
    justify-self: stretch;
    padding: 1em;
    border-radius: calc(var(--_radius) - 4px);
    background: var(--_accent) !important;
    color: var(--_on-accent) !important;
    line-height: 1.2;
    text-decoration: none;
  }
`;

/**
 * The card that ends a journey. The card is a separate element, so that other elements can load it later, together with
 * its texts. The children of the element are the next step.
 *
 * @tag vezne-result
 * @csspart status - The card.
 * @csspart row - Each row of details.
 */
export class VezneResult extends VezneElement<null> {
  static readonly tag = 'vezne-result';
  static override properties = {result: {attribute: false}};
  static override styles = [VezneElement.styles, resultStyles, styles];

  protected override readonly messages = {tr: null, en: null};

  result: Result = {tone: 'good', title: ''};

  /** Focuses the title, so that a screen reader reads the card. */
  override focus(options?: FocusOptions): void {
    void this.updateComplete.then(() => this.find('h2')?.focus(options));
  }

  override renderSkeleton(): TemplateResult {
    return html``;
  }

  protected override renderContent(): TemplateResult {
    return resultCard({...this.result, footer: html`<slot></slot>`});
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-result': VezneResult;
  }
}
