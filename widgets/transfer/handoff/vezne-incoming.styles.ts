import {css} from 'lit';

export const styles = css`
  /* It follows the scheme of the element it stands in, not the device's. */
  :host {
    color-scheme: inherit;
  }
  .question {
    display: grid;
    gap: calc(0.75em * var(--_density));
    padding: calc(1.25em * var(--_density)) 1.25em;
  }
  .what {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0.25em 1em;
    padding: 0.875em 1em;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) - 4px);
    font-variant-numeric: tabular-nums;
  }
`;
