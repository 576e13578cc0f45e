import {schemeColors, lightColors, mixedColors, plainColors} from './colors.styles.ts';
import {css} from './css.ts';

/**
 * The styles that all elements share. The element's `color-scheme` decides between light and dark colors. By default,
 * the element has the color scheme of the page around it; the attribute `theme` overrides this. Browsers without
 * `light-dark()` always show the light colors.
 *
 * `.base` starts from `all: initial`, so that the element inherits only the page's font, and not its text spacing,
 * case, alignment or size. On a page without a font, `meta` has the same font as the element, which then takes that of
 * the system (`--_font`). If an element needs a style, `:host` must not be the only place that sets it, because a
 * page's `* {all: unset}` would remove it there.
 *
 * The accent as text, edge or outline is `--_link`: `readable-colors.ts` changes it where a page's accent
 * could not be read.
 *
 * Printed elements are black on white, without buttons.
 */
export const theme = css`
  :host {
    display: block;
    --_radius: var(--vezne-radius, 16px);
    --_density: var(--vezne-density, 1);
    --_link: var(--_accent);
    ${lightColors}
    ${plainColors}
  }

  @supports (color: color-mix(in srgb, red, red)) {
    :host {
      ${mixedColors}
    }
  }

  @supports (color: light-dark(red, red)) {
    :host {
      ${schemeColors}
      /* On a dark background, a line is too faint as the frame of a button. */
      --_frame: light-dark(var(--_line), var(--_edge));
    }
  }

  :host([theme='auto']) {
    color-scheme: light dark;
  }

  :host([theme='light']) {
    color-scheme: light;
  }

  :host([theme='dark']) {
    color-scheme: dark;
  }

  :host([hidden]:not([hidden='until-found' i])),
  [hidden] {
    display: none !important;
  }

  :host([popover]:not(:popover-open)) {
    display: none;
  }

  /* A page hides what belongs to a later state. It is in a slot only in that state. */
  ::slotted([hidden]) {
    display: block !important;
  }

  .base {
    all: initial;
    display: block;
    visibility: inherit;
    pointer-events: inherit;
    color-scheme: inherit;
    font-family: var(--vezne-font, var(--_font, inherit));
    /* The text follows the shopper's font size. The maximum matters for an element inside a large headline. */
    font-size: clamp(16px, 1em, max(20px, 1.25rem));
    line-height: 1.45;
    padding: 1em;
    border-radius: var(--_radius);
    background: var(--_paper);
    color: var(--_ink);
    overflow-wrap: break-word;
    -webkit-text-size-adjust: 100%;
  }

  meta {
    font-family: initial;
  }

  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }

  h2,
  h3,
  p,
  dl,
  dd,
  ol,
  ul,
  fieldset {
    margin: 0;
    padding: 0;
    border: 0;
    list-style: none;
  }

  h2,
  h3 {
    font-size: 1em;
    font-weight: 650;
    line-height: 1.3;
    text-wrap: balance;
  }

  h3:focus,
  .base:focus {
    outline: none;
  }

  button {
    font: inherit;
    color: inherit;
    background: none;
    border: 0;
    padding: 0;
    cursor: pointer;
    touch-action: manipulation;
    -webkit-tap-highlight-color: transparent;
  }

  :focus-visible {
    outline: 3px solid var(--_link);
    outline-offset: 2px;
  }

  svg {
    inline-size: 1.25em;
    block-size: 1.25em;
    flex: none;
    fill: none;
    stroke: currentColor;
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }

  .button {
    display: flex;
    align-items: center;
    justify-content: center;
    gap: 0.5em;
    inline-size: 100%;
    min-block-size: max(44px, 3.25em * min(1, var(--_density)));
    padding: 0.5em 1em;
    border: 1px solid var(--_accent);
    border-radius: calc(var(--_radius) - 4px);
    background: var(--_accent);
    color: var(--_on-accent);
    font-weight: 650;
    line-height: 1.2;
    text-align: center;
  }

  .button:active {
    filter: brightness(0.92);
  }

  .button.soft {
    background: var(--_paper);
    border-color: var(--_frame, var(--_line));
    color: var(--_link);
  }

  .link {
    min-block-size: 44px;
    color: var(--_link);
    font-size: 0.9375em;
    font-weight: 600;
    text-decoration: underline 1px;
    text-underline-offset: 0.2em;
  }

  .muted {
    color: var(--_muted);
    font-size: 0.9375em;
    text-wrap: pretty;
  }

  .visually-hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
    user-select: none;
    -webkit-user-select: none;
  }

  .skeleton {
    display: block;
    border-radius: 8px;
    background: var(--_line);
    opacity: 0.65;
    animation: breathe 1.6s ease-in-out infinite alternate;
  }

  @keyframes breathe {
    to {
      opacity: 0.35;
    }
  }

  .card,
  .problem {
    padding: calc(1em * var(--_density));
    border-radius: calc(var(--_radius) - 4px);
    background: var(--_ground);
  }

  .problem {
    display: grid;
    justify-items: start;
    gap: 0.375em;
    border: 1px solid var(--_line);
    overflow-wrap: anywhere;
  }

  .problem:not(.calm) {
    border-color: var(--_bad);
    background: var(--_bad-tint);
  }

  .problem.warn {
    border-color: var(--_warn);
    background: var(--_warn-tint);
  }

  .problem .button {
    inline-size: auto;
    margin-block: 0.5em 0.25em;
    min-block-size: 2.75em;
  }

  @media (prefers-reduced-motion: reduce) {
    *,
    ::before,
    ::after {
      animation: none !important;
      transition: none !important;
    }
  }

  @media print {
    :host {
      color-scheme: light !important;
    }
    .base {
      --_paper: #fff;
      --_tint: #fff;
      --_ground: #fff;
      --_warn-tint: #fff;
      --_ink: #000;
      --_link: #000 !important;
      --_warn: #000;
      --_muted: #333;
      --_line: #999;
    }
    button,
    .skeleton {
      display: none !important;
    }
  }

  @media (forced-colors: active) {
    .button:not(.soft) {
      border-width: 3px;
    }
    .skeleton,
    .button,
    .card,
    .problem,
    .tile {
      border: 1px solid;
    }
  }
`;
