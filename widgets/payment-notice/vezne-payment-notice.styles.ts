import {css} from 'lit';

export const styles = css`
  .base {
    display: grid;
    gap: calc(0.75em * var(--_density));
  }
  label small {
    color: var(--_muted);
    font-size: 0.8125em;
    font-weight: 400;
  }
  .bone {
    block-size: 3.25em;
  }
`;
