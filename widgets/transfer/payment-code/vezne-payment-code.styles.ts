import {css} from '../../core/styles/css.ts';

export const styles = css`
  .base {
    container-type: inline-size;
    overflow-wrap: break-word;
  }
  .slip {
    container-type: inline-size;
    padding: calc(1em * var(--_density)) 1em;
    border-radius: calc(var(--_radius) - 4px);
    background: var(--_tint);
    text-align: center;
  }
  .slip h3 {
    font-size: 0.9375em;
  }
  .code {
    margin-block: 0.5em 0.375em;
    line-height: 1.2;
  }
  .groups {
    font-variant-numeric: tabular-nums;
  }
  /* Older engines do not know the unit below. */
  .code bdi {
    font-size: 1.75em;
  }
  .code .groups {
    font-family: ui-monospace, Menlo, Consolas, 'Roboto Mono', monospace;
    font-size: clamp(1.375em, 11.4cqi, 2.25em);
    font-weight: 700;
  }
  .code .groups span {
    margin-inline: 0.22em;
  }
  .tear {
    position: relative;
    margin: 0.875em -1em;
    border-block-start: 2px dashed var(--_glow);
  }
  .tear::before,
  .tear::after {
    content: '';
    position: absolute;
    inset-block-start: -0.5625em;
    inset-inline-start: -0.5em;
    inline-size: 1em;
    block-size: 1em;
    border-radius: 50%;
    background: var(--_paper);
  }
  .tear::after {
    inset-inline: auto -0.5em;
  }
  .until {
    margin-block-start: 0.625em;
    color: var(--_muted);
    font-size: 0.875em;
    text-wrap: balance;
  }
  .until time {
    display: inline-block;
  }
  .left {
    display: block;
  }
  .last {
    color: var(--_warn);
    font-weight: 600;
  }

  .account {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25em 0.75em;
    margin-block: 1em 0.5em;
  }
  .name {
    flex: 1;
    min-inline-size: 7em;
    font-weight: 600;
    line-height: 1.3;
  }
  dt,
  small {
    display: block;
    color: var(--_muted);
    font-size: 0.8125em;
    font-weight: 400;
  }
  .unchosen,
  .origin {
    margin-block-end: 0.5em;
  }
  .row {
    display: grid;
    grid-template-columns: 1fr auto;
    align-items: center;
    column-gap: 0.75em;
    padding-block: calc(0.625em * var(--_density));
    border-block-end: 1px solid var(--_line);
    text-wrap: balance;
  }
  dt {
    align-self: end;
  }
  /* A note is below the text and the button, over the whole width. */
  .row dd:has(> small) {
    display: contents;
  }
  dd small {
    grid-column: 1 / -1;
    margin-block-start: 0.5em;
  }
  dd b {
    font-size: 1.25em;
    white-space: nowrap;
  }
  .long {
    font-size: min(1.25em, 5.5cqi);
  }
  dd {
    grid-column: 1;
    align-self: start;
    line-height: 1.35;
    font-variant-numeric: tabular-nums;
  }
  .action {
    grid-area: 1 / 2 / 3;
    align-self: center;
  }
  .fallback {
    grid-column: 1 / -1;
  }
  /* Large text: the button is below the text, which needs the whole width. */
  @container (inline-size < 15em) {
    .row {
      grid-template-columns: minmax(0, 1fr);
    }
    .action {
      grid-area: auto;
      justify-self: start;
    }
  }
  .ways {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    justify-items: center;
    gap: 0.75em;
    margin-block-start: 0.875em;
    text-wrap: balance;
  }
  /* A computer has no bank app. */
  .app {
    display: none;
    text-decoration: none;
  }
  @media (pointer: coarse) {
    .app {
      display: flex;
    }
  }
  summary {
    align-content: center;
    text-align: center;
    cursor: pointer;
  }
  .copy:not(.button) {
    display: flex;
    align-items: center;
    justify-content: center;
    gap: 0.25em;
    min-block-size: 44px;
    /* At least as wide as the confirmation, so that nothing moves. */
    min-inline-size: 8.5em;
    padding: 0.5em 0.25em;
    border: 1px solid var(--_frame, var(--_line));
    border-radius: calc(var(--_radius) - 6px);
    color: var(--_link);
    font-size: 0.875em;
    font-weight: 600;
  }
  .copied.soft {
    border-color: var(--_link);
  }
  .copied:not(.button) {
    border-color: transparent;
    background: var(--_tint);
    color: var(--_good);
  }
  .card,
  .advice {
    display: grid;
    gap: 0.25em;
  }
  .advice {
    margin-block-start: 0.875em;
    padding-inline-start: 1.125em;
    list-style: disc;
  }

  slot[name='account'] > * {
    flex: 1 1 100%;
    color-scheme: inherit;
  }
  vezne-bank-list::part(base) {
    padding: 0;
  }

  .links {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 0 1.25em;
    inline-size: 100%;
  }
  /* The link that opens the order on a phone is hidden on phones. */
  .phone {
    display: none;
  }
  @media (hover: hover) and (pointer: fine) and (min-width: 40em) {
    .phone {
      display: block;
    }
  }
  vezne-handoff {
    color-scheme: inherit;
  }
  .beside {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 17em;
    align-items: start;
    gap: 1.5em;
  }
  .links .copy-fallback {
    flex-basis: 100%;
  }

  @media (forced-colors: active) {
    .copy,
    .slip {
      border: 1px solid;
    }
  }
  /* The printed page is for a shopper who pays at the bank's counter. */
  @media print {
    .slip {
      border: 2px solid;
      break-inside: avoid;
    }
    .code {
      color: #000 !important;
    }
    .tear,
    .phone,
    .ways,
    .left,
    summary,
    slot {
      display: none;
    }
  }

  .problem:not(:first-child) {
    margin-block-start: 1em;
  }
  /* Without the account, the code is of no use. */
  .problem:not(:first-child):not(.warn) .button {
    inline-size: 100%;
    border-color: var(--_accent);
    background: var(--_accent);
    color: var(--_on-accent);
  }
  slot[name='human-check'] {
    display: block;
    margin-block-start: 1em;
  }
  .skeleton {
    block-size: 3.75em;
    margin-block-start: 0.5em;
  }
  .skeleton:first-child {
    /* The skeleton is as high as the card with the code, so that nothing moves when the code arrives. */
    margin: 0;
    block-size: 11em;
  }
`;
