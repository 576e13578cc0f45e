import {css} from '../core/styles/css.ts';

export const styles = css`
  .base {
    max-inline-size: 40em;
    margin-inline: auto;
    padding: 0;
    border: 1px solid var(--_line);
    overflow: hidden;
  }
  .head {
    padding: 0.75em 1em;
    border-block-end: 1px solid var(--_line);
  }
  .head .muted {
    font-size: 0.8125em;
  }
  iframe,
  .frame {
    display: block flow-root;
    inline-size: 100%;
    block-size: var(--vezne-frame-height, 56em);
  }
  iframe {
    border: solid var(--_line);
    border-width: 0 0 1px;
    /* The platform's form is designed for a light background only. */
    color-scheme: light;
    background: #fff;
  }
  iframe.visually-hidden {
    inline-size: 1px;
    block-size: 1px;
  }
  .result {
    padding: 1.5em;
  }
  .problem {
    margin: 1em;
  }
  .skeleton {
    block-size: 3em;
    margin: 1em;
  }
`;
