import {css} from '../../core/styles/css.ts';

export const styles = css`
  vezne-pin-subscribe {
    color-scheme: inherit;
  }
  /* The card around the form is that of this element. */
  vezne-pin-subscribe::part(base) {
    max-inline-size: none;
    padding: 0;
    border: 0;
    box-shadow: none;
  }
  .number {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0.25em 0.75em;
    margin-block-end: 1em;
  }
  .number b {
    font-size: 1.125em;
    font-variant-numeric: tabular-nums;
  }
  .number ~ :not(:last-child) {
    margin-block-end: 0.75em;
  }
  .back {
    padding-block-start: 0.5em;
    text-align: center;
  }
  .skeleton {
    padding-block-start: min(3.87em, 9.066em - 18.75%);
  }
`;
