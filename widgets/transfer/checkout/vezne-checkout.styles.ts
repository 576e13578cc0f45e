import {cardStyles} from '../../core/styles/card.styles.ts';
import {css} from '../../core/styles/css.ts';

export const styles = css`
  ${cardStyles}
  ::part(base) {
    padding: 0;
  }
  .base {
    --_side: min(1.25em, 6vw);
    padding: 0;
  }
  .base > .problem {
    margin: 1em var(--_side);
  }
  .header {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0.25em 1em;
    padding: calc(1.25em * var(--_density)) var(--_side) calc(1em * var(--_density));
  }
  .header h2 {
    flex: 1 1 8em;
    min-inline-size: 0;
  }
  .amount {
    font-size: min(1.625em, 13vw);
    font-weight: 700;
    line-height: 1.2;
    letter-spacing: -0.015em;
    text-align: end;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .amount small {
    display: block;
    color: var(--_muted);
    font-size: 0.5em;
    font-weight: 400;
  }
  .steps {
    display: flex;
    gap: 0.375em;
    padding-inline: min(1.54em, 6vw);
    color: var(--_muted);
    font-size: 0.8125em;
  }
  .steps li {
    flex: 1;
    padding-block-start: 0.5em;
    border-block-start: 3px solid var(--_line);
  }
  .steps .reached {
    border-color: var(--_link);
  }
  .steps [aria-current] {
    color: var(--_ink);
    font-weight: 650;
  }
  .body {
    display: flex;
    flex-direction: column;
    gap: calc(1em * var(--_density));
    padding: calc(1.125em * var(--_density)) var(--_side) 1.25em;
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
  .header > :last-child {
    margin-inline-start: auto;
  }
`;
