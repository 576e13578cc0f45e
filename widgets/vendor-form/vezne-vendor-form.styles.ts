import {css} from 'lit';

export const styles = css`
  .base {
    max-inline-size: 40em;
    margin-inline: auto;
    padding: 0;
    border: 1px solid var(--_line);
    overflow: hidden;
  }
  .base > .muted {
    padding: 0.75em 1em;
    border-block-end: 1px solid var(--_line);
  }
  iframe {
    display: block;
    inline-size: 100%;
    block-size: var(--vezne-frame-height, 56em);
    border: 0;
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
