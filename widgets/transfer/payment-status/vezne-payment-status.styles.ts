import {css} from 'lit';

export const styles = css`
  .card {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.875em;
  }
  /* If the longest word does not fit beside the sign, the text begins below the sign. */
  .words {
    display: flex;
    flex: 1 0 min-content;
    flex-direction: column;
    justify-content: center;
    gap: 0.25em;
    max-inline-size: 100%;
  }
  .sign {
    display: grid;
    place-items: center;
    inline-size: 1.5em;
    block-size: 1.5em;
    margin-block-start: -0.0625em;
  }
  .pulse {
    inline-size: 0.625em;
    block-size: 0.625em;
    border-radius: 50%;
    background: var(--_accent);
    box-shadow: 0 0 0 0.3125em color-mix(in srgb, var(--_accent) 20%, transparent);
    animation: pulse 2s ease-in-out infinite;
  }
  .off {
    background: var(--_muted);
    box-shadow: none;
    animation: none;
  }
  @keyframes pulse {
    50% {
      box-shadow: 0 0 0 0.125em color-mix(in srgb, var(--_accent) 35%, transparent);
    }
  }
  .attention {
    background: var(--_warn-tint);
  }
  .attention h3,
  .attention .sign,
  .trouble {
    color: var(--_warn);
  }
  .attention .muted {
    color: inherit;
  }
  .attention .sign svg {
    border-radius: 50%;
    box-shadow: inset 0 0 0 2px currentColor;
  }
  .trouble {
    font-size: 0.9375em;
    font-weight: 600;
  }
  .words .button {
    margin-block-start: 0.5em;
  }
  /* A label of two lines fills the height of 44 px, so it needs a gap of its own. */
  .words .link {
    align-self: start;
    margin-block-start: 0.25em;
    text-align: start;
    text-wrap: balance;
  }
  .after {
    display: grid;
    justify-items: center;
    gap: 0.25em;
    text-align: center;
  }
  .report {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    justify-items: center;
    gap: 0.25em;
    margin-block-start: 1.25em;
  }
  vezne-payment-notice {
    inline-size: 100%;
    color-scheme: inherit;
  }
  vezne-payment-notice::part(base) {
    padding: 0;
    background: none;
  }

  .receipt {
    inline-size: 100%;
    margin-block-start: 0.75em;
    border-block-start: 2px dashed color-mix(in srgb, currentColor 22%, transparent);
    text-align: start;
  }
  .receipt li {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    align-items: center;
    gap: 0 1em;
    padding-block: 0.75em;
    line-height: 1.3;
  }
  .receipt span {
    flex: 1;
    min-inline-size: min-content;
  }
  .attention .receipt li {
    padding-block: 0.625em 0;
    border: 0;
  }
  .receipt small {
    display: block;
    color: var(--_muted);
    font-size: 0.8125em;
  }
  .attention .receipt small {
    color: inherit;
  }
  .receipt b {
    margin-inline-start: auto;
    font-weight: 650;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .skeleton {
    block-size: 7.5em;
  }
`;
