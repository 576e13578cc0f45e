import {css} from 'lit';
import {spinner} from '../core/styles/spinner.styles.ts';

/**
 * Buttons that wait for an answer or until a time, and the notices above them that show no failure. The buttons ignore
 * clicks, but stay focusable: a button that becomes `disabled` would lose the focus.
 */
export const busyStyles = css`
  p {
    text-wrap: pretty;
  }
  .problem.calm {
    border-color: var(--_edge);
    background: var(--_ground);
  }
  .problem.warn {
    border-color: var(--_warn);
    background: var(--_warn-tint);
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
  [aria-disabled] {
    cursor: default;
  }
  ${spinner}
`;
