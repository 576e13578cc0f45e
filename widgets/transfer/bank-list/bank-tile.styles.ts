import {css} from '../../core/styles/css.ts';

export const bankTileStyles = css`
  .tile {
    position: relative;
    display: grid;
    place-items: center;
    flex: none;
    inline-size: 40px;
    block-size: 40px;
    border-radius: 11px;
    overflow: hidden;
    background: var(--_ground);
    color: var(--_muted);
    font-size: 14px;
    font-weight: 700;
    line-height: 1;
  }
  [class*='tone-'] {
    background: #5b3a8e;
    color: var(--vezne-on-tile, #fff);
  }
  .tone-1 {
    background: #14589c;
  }
  .tone-2 {
    background: #9a4a17;
  }
  .tone-3 {
    background: #1b6b45;
  }
  .tone-4 {
    background: #99305c;
  }
  .tone-5 {
    background: #3b5361;
  }
  /* A logo fills its tile: beside a logo with a ground of its own, any other color would be a ring. */
  .tile img {
    position: absolute;
    inset: 0;
    inline-size: 100%;
    block-size: 100%;
    object-fit: contain;
    background: var(--vezne-on-tile, var(--_tile));
    opacity: 0;
    transition: opacity 0.2s;
  }
  .tile img.loaded {
    opacity: 1;
  }
`;
