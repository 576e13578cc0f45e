import {css} from 'lit';

export const styles = css`
  .base {
    max-inline-size: 30em;
    margin-inline: auto;
  }
  .base,
  .sum {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: calc(1em * var(--_density));
  }
  .sum {
    gap: 0.125em;
  }
  .sum b {
    font-size: 2em;
    font-weight: 700;
    line-height: 1.2;
    font-variant-numeric: tabular-nums;
  }
  .bank {
    min-block-size: 1.45em;
  }
  /* A whole IBAN is visible on a small phone. */
  .field > #iban {
    padding-inline: 0.5em;
    letter-spacing: -0.02em;
  }
  /* Where an IBAN needs two lines, the second one is not two digits. */
  dd {
    text-align: end;
    text-wrap: balance;
  }
  .buttons {
    display: grid;
    gap: 0.5em;
  }
  .note {
    font-size: 0.875em;
  }
  .skeleton {
    block-size: 3.25em;
  }
`;
