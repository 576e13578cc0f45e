import {css} from 'lit';

export const styles = css`
  .base {
    display: grid;
    gap: calc(0.75em * var(--_density));
  }
  /* A field for a date is wider by itself than a small phone's card. */
  .base,
  form,
  .field {
    grid-template-columns: minmax(0, 1fr);
  }
  label small {
    margin-inline-start: 0.25em;
    color: var(--_muted);
    font-size: 0.8125em;
    font-weight: 400;
  }
  .bone {
    block-size: 3.25em;
  }
`;
