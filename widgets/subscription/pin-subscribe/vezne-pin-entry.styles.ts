import {css} from 'lit';

export const styles = css`
  .base {
    padding: 0;
  }
  #pin {
    font-size: 1.5em;
    font-weight: 650;
    letter-spacing: 0.25em;
  }
  .resend {
    text-align: center;
  }
`;
