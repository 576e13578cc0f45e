import {css} from '../../core/styles/css.ts';

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
  .words h3 {
    font-size: 1.1875em;
  }
  div:empty {
    display: none;
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
    box-shadow: 0 0 0 0.3125em var(--_glow);
    animation: pulse 2s ease-in-out infinite;
  }
  .off {
    background: var(--_muted);
    box-shadow: none;
    animation: none;
  }
  @keyframes pulse {
    50% {
      box-shadow: 0 0 0 0.125em var(--_glow);
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
  .card vezne-payment-outcome {
    inline-size: 100%;
    margin-block-start: 0.75em;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0 1.25em;
    inline-size: 100%;
    margin-block-start: 0.25em;
  }
  .sign + .words + .actions {
    padding-inline-start: 2.375em;
  }
  .actions .button {
    margin-block: 0.5em 0.25em;
  }
  .actions .link {
    text-align: start;
    text-wrap: balance;
  }
  .report {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    justify-items: center;
    gap: 0.25em;
  }
  vezne-payment-outcome + .report {
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
  @media (forced-colors: active) {
    .pulse {
      border: 1px solid;
    }
  }
  .skeleton {
    block-size: 7.5em;
  }
`;
