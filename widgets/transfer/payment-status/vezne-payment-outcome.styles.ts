import {css} from 'lit';

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
  .sum {
    font-size: 2em;
    font-weight: 700;
    line-height: 1.1;
    letter-spacing: -0.02em;
    font-variant-numeric: tabular-nums;
  }
  .sum + h2 {
    font-size: 1.125em;
  }
  /* The check mark is drawn from left to right. */
  :host([arrived]) .sign {
    animation: grow 0.4s cubic-bezier(0.2, 0.8, 0.2, 1);
  }
  :host([arrived]) .sign svg {
    animation: draw 0.4s ease-out;
  }
  @keyframes grow {
    from {
      scale: 0.6;
      opacity: 0;
    }
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
  .groups span {
    margin-inline-end: 0.28em;
  }
  dt small {
    display: block;
    font-size: 0.875em;
  }
  dd {
    text-align: end;
    overflow-wrap: anywhere;
  }
  /* A label of two lines has no single word in the second line. */
  .link {
    text-wrap: balance;
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
  @media print {
    .ways {
      display: none;
    }
  }
`;
