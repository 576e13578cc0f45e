import {css} from 'lit';

export const styles = css`
  /* The inner element uses this element's color scheme, not the device's. */
  vezne-pin-entry {
    color-scheme: inherit;
  }
  .base {
    max-inline-size: 30em;
    margin-inline: auto;
    padding: 1.25em;
    overflow-wrap: break-word;
    border: 1px solid var(--_line);
    box-shadow: var(--vezne-shadow, 0 1px 2px rgb(11 31 26 / 6%), 0 12px 32px -8px rgb(11 31 26 / 12%));
  }
  .offer {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.375em;
    padding-block-end: calc(1em * var(--_density));
    border-block-end: 2px dashed color-mix(in srgb, var(--_accent) 38%, transparent);
    margin-block-end: calc(1em * var(--_density));
  }
  .price {
    font-size: 1.625em;
    font-weight: 700;
    line-height: 1.2;
    letter-spacing: -0.015em;
    font-variant-numeric: tabular-nums;
  }
  a.link {
    display: inline-flex;
    align-items: center;
    margin-inline-end: 1.25em;
  }
  summary {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
  }
  .operators {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(7.5em, 1fr));
    gap: 0.5em;
  }
  .operator,
  .consent {
    display: flex;
    align-items: center;
    gap: 0.625em;
    min-block-size: max(48px, 3.25em * var(--_density));
    cursor: pointer;
    -webkit-tap-highlight-color: transparent;
  }
  .operator {
    padding-inline: 0.875em;
    border: 1px solid var(--_edge);
    border-radius: calc(var(--_radius) - 6px);
  }
  [aria-invalid] .operator {
    border-color: var(--_bad);
  }
  .operator:has(:checked) {
    border-color: var(--_accent);
    box-shadow: inset 0 0 0 1px var(--_accent);
    background: var(--_tint);
  }
  .operator:has(:focus-visible) {
    outline: 3px solid var(--_accent);
    outline-offset: 2px;
  }
  label input {
    flex: none;
    inline-size: 20px;
    block-size: 20px;
    margin: 0;
    accent-color: var(--_accent);
  }
  /* In dark colors, a browser's own radio buttons and boxes look disabled. */
  .operator input,
  .consent input:not(:checked) {
    border: 2px solid var(--_edge);
    border-radius: 4px;
    appearance: none;
  }
  .operator input {
    border-radius: 50%;
    outline: none;
  }
  .operator :checked {
    border: 10px double var(--_accent);
  }
  .skeleton {
    block-size: 3.25em;
    margin-block-end: 0.75em;
  }
  @media (forced-colors: active) {
    .operator:has(:checked) {
      border: 3px solid Highlight;
    }
  }
`;
