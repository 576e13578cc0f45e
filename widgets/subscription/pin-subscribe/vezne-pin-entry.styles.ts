import {css} from 'lit';

export const styles = css`
  .base {
    padding: 0;
    overflow-wrap: break-word;
  }
  #pin {
    font-size: 1.5em;
    font-weight: 650;
    letter-spacing: 0.25em;
  }
  .resend {
    text-align: center;
  }
  .number .link {
    font-size: 1em;
  }
  .number {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0 0.5em;
    font-size: 0.9375em;
    font-variant-numeric: tabular-nums;
  }
`;
