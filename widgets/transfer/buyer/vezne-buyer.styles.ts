import {css} from '../../core/styles/css.ts';

export const styles = css`
  /* The element uses the color scheme of the element around it, not the device's. */
  :host {
    color-scheme: inherit;
  }
  .base {
    padding: 0;
  }
  form,
  fieldset,
  .field,
  .intro {
    grid-template-columns: minmax(0, 1fr);
  }
  fieldset {
    gap: calc(1em * var(--_density));
  }
  .intro {
    display: grid;
    gap: 0.375em;
  }
  h3 {
    font-size: 1.25em;
  }
  legend {
    padding: 0;
    font-weight: 650;
    margin-block-end: calc(0.75em * var(--_density));
  }
  small {
    color: var(--_muted);
    font-size: 0.875em;
    font-weight: 400;
    white-space: nowrap;
  }
  .links {
    display: flex;
    flex-wrap: wrap;
    column-gap: 1.25em;
  }
  a.link {
    display: inline-flex;
    align-items: center;
  }
  .pair {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 9.5em), 1fr));
    gap: calc(1em * var(--_density));
    align-items: start;
  }
  .short input {
    max-inline-size: 11em;
  }
  h3 {
    scroll-margin-block-start: min(144px, 25vh);
  }
  /* As the fields of formStyles: no other element has a long text. */
  textarea {
    display: block;
    inline-size: 100%;
    min-block-size: 3.25em;
    padding: 0.5em 0.75em;
    border: 1px solid var(--_edge);
    border-radius: calc(var(--_radius) - 6px);
    background: var(--_paper);
    color: var(--_ink);
    font: inherit;
    appearance: none;
    scroll-margin-block: min(144px, 25vh) min(80px, 15vh);
  }
  /* The arrow of the list. An image would need the permission of the page's Content-Security-Policy. */
  select {
    padding-inline-end: 2.5em;
    background-image:
      linear-gradient(45deg, transparent 50%, var(--_muted) 50%), linear-gradient(-45deg, transparent 50%, var(--_muted) 50%);
    background-position:
      right 1.25em center,
      right 0.875em center;
    background-size: 0.4em 0.4em;
    background-repeat: no-repeat;
  }
  .hint {
    font-size: 0.875em;
  }
  .tick {
    display: flex;
    align-items: flex-start;
    gap: 0.625em;
    min-block-size: 44px;
    padding-block: 0.625em;
    cursor: pointer;
    -webkit-tap-highlight-color: transparent;
  }
  .tick input {
    flex: none;
    inline-size: 20px;
    block-size: 20px;
    margin: 0.1em 0 0;
    accent-color: var(--_accent);
  }
  /* In dark colors, a browser's own boxes look disabled. */
  .tick input:not(:checked) {
    border: 2px solid var(--_edge);
    border-radius: 4px;
    appearance: none;
  }
  .tick ~ * {
    padding-inline-start: calc(20px + 0.625em);
  }
  .skeleton {
    block-size: 3.25em;
    margin-block-end: 0.75em;
  }
  @media print {
    form {
      display: none;
    }
  }
`;
