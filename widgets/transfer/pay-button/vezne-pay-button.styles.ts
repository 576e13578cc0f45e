import {css} from '../../core/styles/css.ts';

export const styles = css`
  /* The inner elements use this element's color scheme, not the device's. */
  .base > * {
    color-scheme: inherit;
  }
  ::part(base) {
    padding: 0;
  }
  vezne-buyer::part(base) {
    padding: 1.25em;
  }
  .end::part(base) {
    padding: 0.5em 1.25em;
  }
  .base {
    display: grid;
    gap: 0.75em;
    padding: 0;
    background: none;
  }
  /* Two buttons of a page may both be replaced by cards. */
  .base:has(> .card) {
    margin-block: 0.75em;
  }
  .button {
    text-wrap: balance;
  }
  .button b {
    font-weight: inherit;
    white-space: nowrap;
  }
  .skeleton {
    block-size: 3.25em;
  }
`;
