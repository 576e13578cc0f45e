import {cardStyles} from '../../core/styles/card.styles.ts';
import {css} from '../../core/styles/css.ts';

export const styles = css`
  ${cardStyles}
  /* The inner element uses this element's color scheme, not the device's. */
  vezne-pin-entry {
    color-scheme: inherit;
  }
  .base {
    padding: 1.25em;
  }
  .offer {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.375em;
    padding-block-end: calc(1em * var(--_density));
    border-block-end: 2px dashed var(--_glow);
    margin-block-end: calc(1em * var(--_density));
  }
  .price {
    font-size: 1.625em;
    font-weight: 700;
    line-height: 1.2;
    letter-spacing: -0.015em;
    text-wrap: balance;
    font-variant-numeric: tabular-nums;
  }
  a.link {
    display: inline-flex;
    align-items: center;
    margin-inline-end: 1em;
  }
  .operators {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5em;
  }
  .operator,
  .consent {
    display: flex;
    align-items: center;
    gap: 0.625em;
    min-block-size: max(48px, 3.25em * var(--_density));
    cursor: pointer;
    -webkit-tap-highlight-color: transparent;
  }
  /* In one row if the longest name fits, else in two columns, or in one if their number is odd. */
  .operator {
    position: relative;
    isolation: isolate;
    flex: 1 0 min((var(--row) - 100%) * 999, 50% * (1 + var(--odd)) - 0.25em);
    justify-content: center;
    padding-inline: 0.5em;
    text-align: center;
  }
  label input {
    flex: none;
    inline-size: 20px;
    block-size: 20px;
    margin: 0;
    accent-color: var(--_link);
  }
  /* In dark colors, a browser's own boxes look disabled. */
  .consent input:not(:checked) {
    border: 2px solid var(--_edge);
    border-radius: 4px;
    appearance: none;
  }
  .operator bdi {
    pointer-events: none;
  }
  /* The radio button is the frame and the background of its label. */
  .operator input {
    position: absolute;
    inset: 0;
    z-index: -1;
    inline-size: 100%;
    block-size: 100%;
    border: 1px solid var(--_edge);
    border-radius: calc(var(--_radius) - 6px);
    appearance: none;
  }
  [aria-invalid] .operator input {
    border-color: var(--_bad);
    outline-color: var(--_bad);
  }
  .operator :checked {
    border: 2px solid var(--_link);
    background: var(--_tint);
  }
  /* Together as high as the form, whose texts have fewer lines on a wide screen. */
  .skeleton {
    padding-block-start: min(3.7em, 6.34em - 9.08%);
    margin-block-end: 0.75em;
  }
  @media (forced-colors: active) {
    .operator :checked {
      border: 3px solid Highlight;
    }
  }
`;
