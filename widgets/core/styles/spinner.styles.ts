import {css} from './css.ts';

/** The sign of a button that waits for an answer. */
export const spinner = css`
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
