import {css} from '../../core/styles/css.ts';

export const styles = css`
  .base {
    padding: 0;
  }
  #pin {
    min-block-size: 2.25em;
    font-size: 1.5em;
    font-weight: 650;
    letter-spacing: 0.25em;
  }
  .resend,
  .number {
    text-align: center;
  }
  .number .link {
    font-size: inherit;
  }
`;
