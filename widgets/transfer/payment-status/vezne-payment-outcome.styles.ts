import {css} from '../../core/styles/css.ts';

export const styles = css`
  :host {
    color-scheme: inherit;
  }
  .base {
    padding: 0;
    background: none;
  }
  .result {
    max-inline-size: 30em;
    margin-inline: auto;
  }
  .row {
    align-items: center;
  }
  .wait {
    container-type: inline-size;
    display: grid;
    gap: 0.75em;
  }
  .wait dl {
    border-block-start: 1px solid var(--_line);
  }
  .wait .row {
    border: 0;
    padding-block: 0.625em 0;
  }
  /* The amount stays beside the account, unless the text is large. */
  dt:has([part='transaction']) {
    flex: 1 1 7em;
  }
  .line {
    display: grid;
    grid-template-columns: repeat(3, minmax(0, 1fr));
    text-align: center;
    font-size: 0.8125em;
  }
  /* Each point, with the line from the point before it. */
  .line li {
    position: relative;
    padding-block-start: 2em;
    color: var(--_muted);
  }
  .line li::before,
  .line li + li::after {
    content: '';
    position: absolute;
    inset: 0.5em calc(50% - 0.5em) auto;
    block-size: 1em;
    border: 2px solid var(--_edge);
    border-radius: 50%;
    background: var(--_paper);
  }
  .line li + li::after {
    inset: calc(1em - 1px) calc(50% + 0.75em) auto calc(-50% + 0.75em);
    block-size: 0;
    border-width: 1px 0;
    border-radius: 0;
  }
  .line li:not(:last-child) {
    color: var(--_ink);
    font-weight: 650;
  }
  .line li:not(:last-child)::before,
  [aria-current]::after {
    border-color: var(--_link) !important;
  }
  .line li:first-child::before {
    background: var(--_accent);
  }
  [aria-current]::before {
    box-shadow: 0 0 0 0.25em var(--_glow);
    animation: breathe 1.6s ease-in-out infinite alternate;
  }
  /* With very large text, the points are below each other. */
  @container (max-inline-size: 14em) {
    .line {
      grid-template-columns: auto;
      text-align: start;
    }
    .line li {
      padding: 0.25em 0 0.25em 2em;
    }
    .line li::before {
      inset: 0.4em auto auto 0;
      inline-size: 1em;
    }
    .line li + li::after {
      display: none;
    }
  }
  .line small {
    font-size: 1em;
    font-weight: 400;
  }
  progress {
    inline-size: 100%;
    block-size: 0.75em;
    border: 1px solid var(--_warn);
    border-radius: 1em;
    overflow: hidden;
    appearance: none;
  }
  progress,
  ::-webkit-progress-bar {
    background: var(--_warn-tint);
  }
  ::-webkit-progress-value {
    background: var(--_warn);
  }
  ::-moz-progress-bar {
    background: var(--_warn);
  }
  .sum {
    display: inline-block;
    text-align: start;
    font-size: 2em;
    font-weight: 700;
    line-height: 1.1;
    letter-spacing: -0.02em;
    font-variant-numeric: tabular-nums;
  }
  :host([arrived]) .sign svg {
    animation: draw 0.4s ease-out;
  }
  @keyframes draw {
    from {
      clip-path: inset(0 100% 0 0);
    }
  }
  /* A reference may be long, so it is below its label, beside its button. */
  .row:has(.link) {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    padding-block: 0.25em;
  }
  .row:has(.link) dd {
    display: contents;
  }
  .row bdi {
    grid-column: 1;
    text-align: start;
    font-size: 0.9375em;
  }
  .row .link {
    grid-area: 1 / 2 / 3;
  }
  small {
    display: block;
    font-size: 0.875em;
  }
  dd {
    text-align: end;
    overflow-wrap: anywhere;
  }
  /* A label of two lines has no single word in the second line. */
  .link,
  .button {
    text-wrap: balance;
  }
  p + .button {
    margin-block: 0.5em;
  }
  /* Links are below each other in one rhythm, up to the payment details. */
  .result {
    padding-block-end: 0;
  }
  .contacts {
    inline-size: 100%;
  }
  .next {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    justify-items: center;
    inline-size: 100%;
  }
  [name='paid']::slotted(*) {
    margin-block: 0.5em;
  }
  .ways {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 0 1.5em;
  }
  .copy-fallback {
    inline-size: 100%;
    text-align: start;
  }
  @media (forced-colors: active) {
    .line li:not(:last-child)::before,
    [aria-current]::after {
      border-color: Highlight !important;
    }
    .line li:first-child::before {
      background: Highlight;
    }
    ::-webkit-progress-value {
      background: Highlight;
    }
    ::-moz-progress-bar {
      background: Highlight;
    }
  }
  /* A page's colors of links are for the page's background. */
  ::slotted(a) {
    background: none !important;
    color: var(--_link) !important;
  }
  @media print {
    .result {
      max-inline-size: none;
    }
    .ways {
      display: none;
    }
  }
`;
