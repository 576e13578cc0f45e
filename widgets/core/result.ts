/** The card that ends a journey. It looks the same in every element. */

import {html, nothing, type TemplateResult} from 'lit';
import {css} from './styles/css.ts';

/** What the shopper reads when a journey has ended. */
export interface Result {
  /**
   * `good`: the journey succeeded. `over`: the journey has ended, and nothing went wrong. `stopped`: the journey cannot
   * continue in this way.
   */
  readonly tone: 'good' | 'over' | 'stopped';
  /** The SVG path of a sign that replaces the tone's sign. */
  readonly sign?: string | undefined;
  readonly title: string;
  /** What is shown in large between the sign and the title. */
  readonly sum?: TemplateResult | undefined;
  readonly text?: string | undefined;
  /** Details worth keeping. A row without a value is left out. */
  readonly rows?: readonly ResultRow[];
  /** The next step: a slot, a link or a button. */
  readonly footer?: TemplateResult | typeof nothing;
}

/** A value that is a text is not translated with the page: an amount, a name, a number, a date. */
export type ResultRow = readonly [name: string | TemplateResult, value: string | TemplateResult | null | undefined];

/** The SVG path of each tone's sign: a check mark, a line and an exclamation mark. */
const SIGNS: Readonly<Record<Result['tone'], string>> = {
  good: 'm6 12.5 4 4 8-9',
  over: 'M7 12h10',
  stopped: 'M12 6v7m0 4.5v.5',
};

/** Renders the card. The element focuses its title, so that a screen reader reads it. */
export function resultCard({
  tone,
  sign = SIGNS[tone],
  title,
  text,
  sum,
  rows = [],
  footer = nothing,
}: Result): TemplateResult {
  return html`<div class="result ${tone}" part="status">
    <span class="sign" aria-hidden="true"><svg viewBox="0 0 24 24"><path d=${sign} /></svg></span>
    ${sum}
    <h2 part="title" tabindex="-1" data-autofocus>${title}</h2>
    ${text ? html`<p class="muted">${text}</p>` : nothing} ${resultRows(rows)} ${footer}
  </div>`;
}

/** Renders the rows that have a value. */
export function resultRows(rows: readonly ResultRow[]): TemplateResult | typeof nothing {
  const shown = rows.flatMap(([name, value]) =>
    value
      ? [
          html`<div class="row" part="row"><dt>${name}</dt><dd translate=${typeof value === 'string' ? 'no' : nothing}>${value}</dd></div>`,
        ]
      : [],
  );
  return shown.length > 0 ? html`<dl>${shown}</dl>` : nothing;
}

export const resultStyles = css`
  .result {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    justify-items: center;
    gap: 0.75em;
    padding-block: 0.75em;
    text-align: center;
    overflow-wrap: anywhere;
  }
  .result h2 {
    font-size: 1.375em;
  }
  .result p,
  dd {
    text-wrap: balance;
  }
  h2:focus {
    outline: none;
  }
  .result dl {
    inline-size: 100%;
    border-block-start: 1px solid var(--_line);
    text-align: start;
  }
  .sign {
    display: grid;
    place-items: center;
    inline-size: 3.5em;
    block-size: 3.5em;
    /* Forced colors show a transparent border, and no background. */
    border: 2px solid transparent;
    border-radius: 50%;
    background: var(--_good);
    color: var(--_paper);
  }
  .over .sign {
    background: var(--_muted);
  }
  .stopped .sign {
    background: var(--_warn);
  }
  .sign svg {
    inline-size: 2em;
    block-size: 2em;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 1em;
    padding-block: calc(0.625em * var(--_density));
    border-block-end: 1px solid var(--_line);
  }
  dt {
    color: var(--_muted);
    font-size: 0.9375em;
  }
  dd {
    font-weight: 600;
    font-variant-numeric: tabular-nums;
  }
`;
