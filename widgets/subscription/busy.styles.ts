import {css} from '../core/styles/css.ts';
import {spinner} from '../core/styles/spinner.styles.ts';

export const busyStyles = css`
  p {
    text-wrap: pretty;
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
  ${spinner}
`;
