import {css} from './css.ts';

/** Form fields and their errors. */
export const formStyles = css`
  form {
    display: grid;
    gap: calc(1em * var(--_density));
  }
  .field,
  fieldset {
    display: grid;
    gap: 0.375em;
    min-inline-size: 0;
  }
  label[for] {
    font-weight: 650;
  }
  /* When a field gets the focus, its label and its error stay visible, even if the page has a fixed header. */
  input,
  select,
  textarea {
    scroll-margin-block: min(144px, 25vh) min(80px, 15vh);
  }
  .field > input,
  select,
  textarea {
    display: block;
    inline-size: 100%;
    min-block-size: 3.25em;
    padding: 0.5em 0.75em;
    border: 1px solid var(--_edge);
    border-radius: calc(var(--_radius) - 6px);
    background: var(--_paper);
    color: var(--_ink);
    font: inherit;
    font-variant-numeric: tabular-nums;
    appearance: none;
  }
  [aria-invalid] {
    border-color: var(--_bad) !important;
    outline-color: var(--_bad);
  }
  .field-error {
    color: var(--_bad);
    font-size: 0.9375em;
    font-weight: 600;
  }
  .field-error:empty {
    display: none;
  }
`;
