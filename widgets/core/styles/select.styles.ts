import {css} from './css.ts';

/** The arrow of a list. An image would need the permission of the page's Content-Security-Policy. */
export const selectStyles = css`
  select {
    padding-inline-end: 2.5em;
    background-image:
      linear-gradient(45deg, transparent 50%, var(--_muted) 50%), linear-gradient(-45deg, transparent 50%, var(--_muted) 50%);
    background-position:
      right 1.25em center,
      right 0.875em center;
    background-size: 0.4em 0.4em;
    background-repeat: no-repeat;
  }
`;
