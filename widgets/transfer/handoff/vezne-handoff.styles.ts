import {css} from '../../core/styles/css.ts';

export const styles = css`
  .base {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    justify-items: center;
    gap: 0.75em;
    padding: 1em;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) - 4px);
    text-align: center;
  }
  .qr,
  .skeleton {
    inline-size: min(100%, 15em);
    block-size: auto;
    aspect-ratio: 1;
  }
  .qr {
    border-radius: 8px;
    image-rendering: pixelated;
  }
  .ways {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 0 1.25em;
  }
  .problem {
    text-align: start;
  }
`;
