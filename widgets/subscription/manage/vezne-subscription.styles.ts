import {cardStyles} from '../../core/styles/card.styles.ts';
import {css} from '../../core/styles/css.ts';

export const styles = css`
  ${cardStyles}
  .base {
    display: grid;
    gap: calc(0.875em * var(--_density));
    padding: 1.25em;
  }
  .head h2 {
    font-size: 1.25em;
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.375em 1em;
  }
  vezne-result .muted,
  dd {
    text-wrap: balance;
  }
  .state {
    padding: 0.25em 0.75em;
    border-radius: 1em;
    background: var(--_warn-tint);
    color: var(--_warn);
    font-size: 0.875em;
    font-weight: 650;
  }
  .state.active {
    background: var(--_tint);
    color: var(--_good);
  }
  .state.rejected {
    background: var(--_ground);
    color: var(--_muted);
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0.125em 1em;
    padding-block: calc(0.625em * var(--_density));
    border-block-end: 1px solid var(--_line);
  }
  dl:last-child .row:last-child {
    border: 0;
  }
  dt {
    color: var(--_muted);
    font-size: 0.9375em;
  }
  dd {
    font-weight: 600;
    font-variant-numeric: tabular-nums;
  }
  .question {
    display: grid;
    gap: 0.625em;
  }
  .danger {
    border-color: var(--_bad);
    background: var(--_bad);
    color: var(--_paper);
  }
  .skeleton {
    block-size: 3.78125em;
  }
  @media (forced-colors: active) {
    .state {
      border: 1px solid;
    }
  }
`;
