import {groupStyles} from '../widgets/core/code-groups.ts';
import {css} from '../widgets/core/styles/css.ts';
import {theme} from '../widgets/core/styles/theme.styles.ts';

/** The styles that all views of the desk share. */
export const deskStyles = [
  theme,
  groupStyles,
  css`
    :host {
      --_radius: 12px;
    }
    .base {
      background: none;
      padding: 0;
      border-radius: 0;
    }
    h1,
    h2,
    h3 {
      margin: 0;
      font-weight: 650;
      line-height: 1.3;
    }
    h1 {
      font-size: 1.375em;
      overflow-wrap: anywhere;
    }
    h2 {
      font-size: 1.0625em;
    }
    .stack {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: 1em;
    }
    .row {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 0.5em 0.75em;
    }
    .spread {
      justify-content: space-between;
    }
    .panel {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: 0.75em;
      padding: 1em;
      border: 1px solid var(--_line);
      border-radius: var(--_radius);
      background: var(--_paper);
    }
    .button {
      inline-size: auto;
      min-block-size: 44px;
      text-decoration: none;
    }
    .link {
      display: inline-flex;
      align-items: center;
    }
    a {
      color: var(--_link);
      text-underline-offset: 0.2em;
    }
    .facts {
      display: grid;
      grid-template-columns: repeat(auto-fit, minmax(min(9em, 45%), 1fr));
      gap: 0.75em 1em;
    }
    .facts div {
      min-inline-size: 0;
    }
    dt {
      color: var(--_muted);
      font-size: 0.875em;
    }
    dd {
      font-weight: 600;
      font-variant-numeric: tabular-nums;
      overflow-wrap: anywhere;
    }
    .number,
    td.number,
    time {
      font-variant-numeric: tabular-nums;
    }
    .scroll {
      position: relative;
      overflow-x: auto;
    }
    table {
      inline-size: 100%;
      border-collapse: collapse;
    }
    caption {
      padding-block-end: 0.375em;
      font-weight: 650;
      text-align: start;
    }
    th,
    td {
      padding: 0.4375em 0.75em 0.4375em 0;
      border-block-start: 1px solid var(--_line);
      font-weight: normal;
      text-align: start;
      vertical-align: top;
    }
    thead th {
      border: 0;
      color: var(--_muted);
      font-size: 0.875em;
    }
    tfoot th,
    tfoot td {
      font-weight: 650;
    }
    .number {
      text-align: end;
      white-space: nowrap;
    }
    @media (max-width: 40em) {
      th,
      td {
        padding-inline-end: 0.5em;
        font-size: 0.9375em;
      }
    }
    /* A phone has no room for columns. The roles in the template keep it a table. */
    @media (max-width: 40em) {
      .cards thead {
        position: absolute;
        inline-size: 1px;
        block-size: 1px;
        overflow: hidden;
        clip-path: inset(50%);
      }
      .cards,
      .cards caption,
      .cards tbody,
      .cards tr,
      .cards td {
        display: block;
      }
      .cards tr {
        padding-block: 0.375em;
        border-block-start: 1px solid var(--_line);
      }
      .cards td {
        padding: 0.0625em 0;
        border: 0;
        overflow-wrap: anywhere;
      }
      .cards td[data-name]::before {
        content: attr(data-name) ': ';
        color: var(--_muted);
      }
      .cards desk-transfer {
        display: inline-block;
      }
    }
    bdi {
      overflow-wrap: anywhere;
    }
    .tag {
      padding: 0.125em 0.5em;
      border-radius: 1em;
      background: var(--_ground);
      font-size: 0.875em;
      font-weight: 600;
      white-space: nowrap;
      align-self: start;
      justify-self: end;
    }
    .tag.good {
      color: var(--_good);
    }
    .tag.warn {
      background: var(--_warn-tint);
      color: var(--_warn);
    }
    .tag.bad {
      background: var(--_bad-tint);
      color: var(--_bad);
    }
    input,
    select,
    textarea {
      min-block-size: 44px;
      max-inline-size: 100%;
      padding: 0.5em 0.75em;
      border: 1px solid var(--_edge);
      border-radius: calc(var(--_radius) - 4px);
      background: var(--_paper);
      color: var(--_ink);
      font: inherit;
    }
    textarea {
      inline-size: 100%;
    }
    summary {
      min-block-size: 44px;
      align-content: center;
      color: var(--_link);
      font-weight: 600;
      cursor: pointer;
    }
  `,
];
