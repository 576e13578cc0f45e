import {css} from 'lit';

export const bankTileStyles = css`
  .tile {
    --_tone: #5b3a8e;
    /* Logos are made for a white background. In dark colors, pure white would be too bright. */
    --_logo: var(--vezne-on-tile, color-mix(in srgb, #fff 80%, var(--_paper)));
    position: relative;
    display: grid;
    place-items: center;
    flex: none;
    inline-size: 40px;
    block-size: 40px;
    border-radius: 11px;
    overflow: hidden;
    background: var(--_tone);
    color: var(--vezne-on-tile, #fff);
    font-size: 14px;
    font-weight: 700;
    line-height: 1;
  }
  .tone-1 {
    --_tone: #14589c;
  }
  .tone-2 {
    --_tone: #9a4a17;
  }
  .tone-3 {
    --_tone: #1b6b45;
  }
  .tone-4 {
    --_tone: #99305c;
  }
  .tone-5 {
    --_tone: #3b5361;
  }
  .tile img {
    position: absolute;
    inset: 0;
    inline-size: 100%;
    block-size: 100%;
    padding: 5px;
    object-fit: contain;
    background: var(--_logo);
    border: 1px solid var(--_line);
    border-radius: inherit;
    opacity: 0;
  }
  .tile img.loaded {
    opacity: 1;
  }
  /* Without this, the tile's color would be visible at the corners of the logo. */
  .tile:has(.loaded) {
    background: var(--_logo);
  }
  @media print, (forced-colors: active) {
    .tile img {
      border: 0;
    }
  }
`;
