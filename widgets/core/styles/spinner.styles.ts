import {css} from './css.ts';

/**
 * Buttons that wait for an answer or until a time. They ignore clicks, but stay focusable: a button that becomes
 * `disabled` would lose the focus.
 */
export const spinner = css`
  [aria-disabled] {
    cursor: default;
  }
  [aria-disabled]:not([aria-busy]) {
    opacity: 0.55;
  }
  .button[aria-busy]::before {
    content: '';
    inline-size: 1em;
    block-size: 1em;
    border: 2px solid;
    border-inline-end-color: transparent;
    border-radius: 50%;
    animation: turn 0.8s linear infinite;
  }
  @keyframes turn {
    to {
      transform: rotate(1turn);
    }
  }
`;
