import {css} from './css.ts';

/** The frame of an element that stands alone on a page. */
export const cardStyles = css`
  .base {
    max-inline-size: 30em;
    margin-inline: auto;
    border: 1px solid var(--_line);
    box-shadow: var(--vezne-shadow, 0 1px 2px rgb(11 31 26 / 6%), 0 12px 32px -8px rgb(11 31 26 / 12%));
  }
`;
