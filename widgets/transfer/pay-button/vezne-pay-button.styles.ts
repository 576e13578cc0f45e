import {css} from 'lit';

export const styles = css`
  /* The part follows the scheme this element was given, not the device's. */
  vezne-payment-status {
    color-scheme: inherit;
  }
  ::part(base) {
    padding: 0;
  }
  .base {
    display: grid;
    gap: 0.75em;
    padding: 0;
    background: none;
  }
  .bone {
    block-size: 3.25em;
  }
`;
