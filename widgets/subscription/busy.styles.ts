import {css} from '../core/styles/css.ts';
import {spinner} from '../core/styles/spinner.styles.ts';

/**
 * Buttons that wait for an answer or until a time. They ignore clicks, but stay focusable: a button that becomes
 * `disabled` would lose the focus.
 */
export const busyStyles = css`
  p {
    text-wrap: pretty;
  }
  [aria-disabled]:not([aria-busy]) {
    opacity: 0.55;
  }
  .whole {
    display: inline-block;
  }
  a.button {
    text-decoration: none;
  }
  a.link {
    align-content: center;
  }
  [aria-disabled] {
    cursor: default;
  }
  ${spinner}
`;
