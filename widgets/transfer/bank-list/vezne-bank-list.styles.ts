import {css} from '../../core/styles/css.ts';

export const styles = css`
  fieldset,
  .banks {
    min-inline-size: 0;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.5em;
  }
  fieldset:disabled {
    opacity: 0.8;
  }
  h3 {
    margin-block-end: 0.25em;
  }
  .search {
    position: relative;
    color: var(--_muted);
  }
  .search svg {
    position: absolute;
    inset-block-start: 0.875em;
    inset-inline-start: 0.875em;
    pointer-events: none;
  }
  .search input {
    display: block;
    inline-size: 100%;
    min-block-size: 3em;
    padding: 0.5em 0.75em 0.5em 2.75em;
    border: 1px solid var(--_edge);
    border-radius: calc(var(--_radius) - 6px);
    background: var(--_paper);
    color: var(--_ink);
    font: inherit;
    appearance: none;
  }
  .search input::placeholder {
    color: var(--_muted);
    opacity: 1;
  }
  .bank {
    position: relative;
    isolation: isolate;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25em 0.75em;
    min-block-size: max(44px, 60px * var(--_density));
    padding: calc(0.5em * var(--_density)) 0.75em;
    text-align: start;
    border: 1px solid var(--_frame, var(--_line));
    border-radius: calc(var(--_radius) - 4px);
    background: var(--_paper);
    cursor: pointer;
    -webkit-tap-highlight-color: transparent;
  }
  /* The frame and the background of a bank that is chosen or has the focus. */
  .ring {
    position: absolute;
    inset: -1px;
    z-index: -1;
    border-radius: inherit;
  }
  :checked + .ring {
    border: 2px solid var(--_link);
    background: var(--_tint);
  }
  :focus-visible + .ring {
    outline: 3px solid var(--_link);
    outline-offset: 2px;
  }
  .bank :is(input, i) {
    flex: none;
    inline-size: 20px;
    block-size: 20px;
    margin: 0;
    /* When a browser scrolls to the focused radio button, the margin makes the whole row visible. */
    scroll-margin: 3em;
    border: 2px solid var(--_edge);
    border-radius: 50%;
    outline: none;
    appearance: none;
    cursor: inherit;
  }
  /* A double border is a ring with a dot, also in dark colors. */
  .bank :checked {
    border: 10px double var(--_link);
  }
  /* In the checkout, a click on a bank goes to the next step, so an arrow replaces each radio button. */
  .direct :is(input, :checked, i) {
    inline-size: 9px;
    block-size: 9px;
    margin-inline: 5px;
    border: solid var(--_edge);
    border-width: 2px 2px 0 0;
    border-radius: 0;
    transform: rotate(45deg);
    /* The word "Enter" appears between the name and the arrow, so nothing else moves. */
    order: 1;
  }
  @media (hover: hover) {
    .direct .bank:focus-within::after {
      content: 'Enter' / '';
    }
  }
  .name {
    flex: 1;
    /* With large text, a long word moves below the logo. */
    min-inline-size: min-content;
    font-weight: 500;
    line-height: 1.3;
  }
  .name small,
  .bank::after {
    display: block;
    color: var(--_muted);
    font-size: 0.8125em;
    font-weight: 400;
  }
  .skeleton-list {
    display: grid;
    gap: 0.5em;
  }
  .skeleton {
    block-size: 60px;
  }
  .skeleton:first-child {
    inline-size: 75%;
    block-size: 1.55em;
  }
  @media (forced-colors: active) {
    :checked + .ring {
      border: 3px solid Highlight;
    }
  }
`;
