import {css} from 'lit';

/**
 * Buttons that wait for an answer or for a time. They stay focusable, because a button that becomes `disabled` loses
 * the focus. They ignore clicks.
 */
export const busyStyles = css`
  .button[aria-disabled]:not([aria-busy]) {
    opacity: 0.55;
  }
  a.button {
    text-decoration: none;
  }
  .button[aria-disabled] {
    cursor: default;
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
      rotate: 1turn;
    }
  }
`;
