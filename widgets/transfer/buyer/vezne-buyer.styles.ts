import {css} from '../../core/styles/css.ts';
import {selectStyles} from '../../core/styles/select.styles.ts';

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
  ${selectStyles}
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
