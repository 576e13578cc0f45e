import {css} from 'lit';

export const styles = css`
  /* The inner elements use this element's color scheme, not the device's. */
  vezne-bank-list,
  vezne-payment-code,
  vezne-payment-status {
    color-scheme: inherit;
  }
  ::part(base) {
    padding: 0;
  }
  .base {
    max-inline-size: 30em;
    margin-inline: auto;
    padding: 0;
    border: 1px solid var(--_line);
    box-shadow: var(--vezne-shadow, 0 1px 2px rgb(11 31 26 / 6%), 0 12px 32px -8px rgb(11 31 26 / 12%));
  }
  .problem {
    margin: 1em;
  }
  .header {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    justify-content: space-between;
    gap: 0.25em 1em;
    padding: calc(1.25em * var(--_density)) 1.25em calc(1em * var(--_density));
  }
  .header h2 {
    flex: 1 1 8em;
  }
  .amount {
    font-size: 1.625em;
    font-weight: 700;
    line-height: 1.2;
    letter-spacing: -0.015em;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .steps {
    display: flex;
    gap: 0.375em;
    padding-inline: 1.54em;
    color: var(--_muted);
    font-size: 0.8125em;
  }
  .steps li {
    flex: 1;
    padding-block-start: 0.5em;
    border-block-start: 3px solid var(--_line);
  }
  .steps .reached {
    border-color: var(--_accent);
  }
  .steps [aria-current] {
    color: var(--_ink);
    font-weight: 650;
  }
  .body {
    display: flex;
    flex-direction: column;
    gap: calc(1em * var(--_density));
    padding: calc(1.125em * var(--_density)) 1.25em 1.25em;
  }
  .step-title {
    margin-block-end: -0.375em;
  }
  .footer {
    position: sticky;
    inset-block-end: 0;
    margin: 0 -1.25em -1.25em;
    padding: 0.75em 1.25em 1.25em;
    border-radius: 0 0 var(--_radius) var(--_radius);
    background: linear-gradient(transparent, var(--_paper) 0.75em);
  }
  .banks {
    display: grid;
    gap: calc(1em * var(--_density));
  }
  /* Below a long list, the button sticks to the bottom of the window. It never covers the question in the top 10em. */
  .long {
    --_foot: calc(0.75em + max(44px, 3.25em * min(1, var(--_density))));
    gap: 0;
    grid-template-rows: 10em auto;
  }
  .long vezne-bank-list {
    grid-area: 1 / 1 / 3;
    padding-block-end: var(--_foot);
  }
  .long:has(.bank-missing) vezne-bank-list {
    padding-block-end: calc(var(--_foot) + 2em);
  }
  .long .footer {
    grid-area: 2 / 1;
    align-self: end;
  }
  .bank-missing {
    margin-block-end: 0.5em;
    color: var(--_bad);
    font-size: 0.9375em;
    font-weight: 600;
  }
  .skeleton {
    block-size: 60px;
  }
  ::slotted([slot='footer']) {
    margin: 0 1.25em 1.25em;
  }
  @media print {
    .base {
      max-inline-size: none;
      border: 0;
      box-shadow: none;
    }
    .steps,
    .step-title,
    .footer,
    .waiting vezne-payment-status {
      display: none;
    }
  }
  @media (forced-colors: active) {
    .steps li {
      border-color: GrayText;
    }
    .steps .reached {
      border-color: Highlight;
    }
  }
  .header .skeleton {
    inline-size: 35%;
    block-size: 2em;
  }
`;
