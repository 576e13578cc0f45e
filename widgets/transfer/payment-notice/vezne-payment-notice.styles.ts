import {css} from '../../core/styles/css.ts';
import {selectStyles} from '../../core/styles/select.styles.ts';

export const styles = css`
  .base {
    display: grid;
    gap: calc(0.75em * var(--_density));
  }
  /* By default a date field is wider than the card on a small phone. */
  .base,
  form,
  .more,
  .field {
    grid-template-columns: minmax(0, 1fr);
  }
  .more {
    display: grid;
    gap: calc(1em * var(--_density));
  }
  summary {
    align-content: center;
  }
  h3 {
    font-size: 1.25em;
  }
  .chips {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5em;
  }
  .chips + div {
    margin-block-start: 0.5em;
  }
  .chip {
    flex: 1;
    min-block-size: 44px;
    padding-inline: 0.5em;
    border: 1px solid var(--_edge);
    border-radius: calc(var(--_radius) - 6px);
    white-space: nowrap;
  }
  .chip[aria-pressed='true'] {
    border-color: var(--_link);
    box-shadow: inset 0 0 0 1px var(--_link);
    background: var(--_tint);
    font-weight: 650;
  }
  @media (forced-colors: active) {
    .chip[aria-pressed='true'] {
      border: 3px solid Highlight;
    }
  }
  ${selectStyles}
  .skeleton {
    block-size: 3.25em;
  }
`;
