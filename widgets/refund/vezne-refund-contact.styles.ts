import {css} from '../core/styles/css.ts';

export const styles = css`
  .base {
    max-inline-size: 30em;
    margin-inline: auto;
    border: 1px solid var(--_line);
  }
  .base,
  .sum {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: calc(1em * var(--_density));
  }
  /* Where an IBAN needs two lines, the second one is not two digits. */
  p,
  .button {
    text-wrap: balance;
  }
  .sum {
    gap: 0.125em;
  }
  .sum b {
    font-size: 2em;
    line-height: 1.2;
    font-variant-numeric: tabular-nums;
  }
  .label {
    display: flex;
    justify-content: space-between;
  }
  /* A whole IBAN is visible on a small phone. */
  .field > #iban {
    padding-inline: 0.5em;
    letter-spacing: -0.035em;
    word-spacing: -0.075em;
  }
  .buttons {
    display: grid;
    gap: 0.5em;
  }
  .contacts {
    inline-size: 100%;
  }
  .note {
    font-size: 0.875em;
  }
  .skeleton {
    padding-block-start: min(5.144em, 7.77em - 11.67%);
  }
`;
