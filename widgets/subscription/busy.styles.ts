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
  /* The page's link is the next step, so it looks like the main button. */
  slot[name='done']::slotted(a) {
    justify-self: stretch;
    padding: 1em;
    border-radius: calc(var(--_radius) - 4px);
    background: var(--_accent);
    color: var(--_on-accent);
    line-height: 1.2;
    text-decoration: none;
  }
  [aria-disabled] {
    cursor: default;
  }
  ${spinner}
`;
