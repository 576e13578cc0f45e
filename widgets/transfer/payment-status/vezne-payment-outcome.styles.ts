import {css} from 'lit';

export const styles = css`
  :host {
    color-scheme: inherit;
  }
  .base {
    padding: 0;
    background: none;
  }
  .result {
    max-inline-size: 30em;
    margin-inline: auto;
  }
  .row {
    align-items: center;
  }
  .row .link {
    margin-inline-start: 0.75em;
  }
  dt small {
    display: block;
    font-size: 0.875em;
  }
  dd {
    text-align: end;
    overflow-wrap: anywhere;
  }
  a.button {
    text-decoration: none;
  }
  a.link {
    align-content: center;
  }
  .ways {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 0 1.5em;
  }
  .contacts {
    display: grid;
    justify-items: center;
    inline-size: 100%;
  }
  .copy-fallback {
    inline-size: 100%;
    text-align: start;
  }
  @media print {
    .ways,
    .contacts {
      display: none;
    }
  }
`;
