/** The style sheet, the script and the icon that all hosted pages share. */

export const STYLES_PATH = '/pay/hosted.css';
export const SCRIPT_PATH = '/pay/hosted.js';
export const ICON_PATH = '/pay/icon.svg';

export function answerAsset(path: string): Response | undefined {
  if (path === STYLES_PATH) return answer(STYLES, 'text/css');
  if (path === SCRIPT_PATH) return answer(SCRIPT, 'text/javascript');
  if (path === ICON_PATH) return answer(ICON, 'image/svg+xml');
  return undefined;
}

function answer(text: string, type: string): Response {
  return new Response(text, {
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
      // A merchant may show the vendor form in a sandboxed frame, which has an opaque origin. In such a frame, browsers
      // load a module script only if its response has this header.
      'access-control-allow-origin': '*',
    },
  });
}

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#14567a"/><path d="M4 8h8M8 4v8" stroke="#fff" stroke-width="2"/></svg>
`;

const STYLES = `:root {
  color-scheme: light dark;
  --ground: light-dark(#f2f4f7, #12161c);
  --card: light-dark(#fff, #1b2129);
  --text: light-dark(#17202b, #e8ecf1);
  --quiet: light-dark(#55606e, #a3aebb);
  --line: light-dark(#d5dbe3, #343d49);
  --accent: light-dark(#14567a, #6cc3ee);
  --on-accent: light-dark(#fff, #0b1a24);
  --danger: light-dark(#a3211b, #ff9d94);
  --play: light-dark(#fff7e0, #2a2415);
  --play-line: light-dark(#d9a514, #8a6a12);
}
*, ::before, ::after { box-sizing: border-box; }
body {
  max-width: 34rem; margin: 0 auto; padding: 0 1rem 2rem;
  background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
header { display: flex; justify-content: space-between; align-items: center; padding: 1rem 0; }
header a { padding: .5rem 0; }
.brand { font-weight: 700; letter-spacing: -.01em; }
main { padding: 1.25rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--card); }
footer { margin-top: 1rem; color: var(--quiet); font-size: .875rem; }
h1 { margin: 0 0 .75rem; font-size: 1.375rem; line-height: 1.25; }
h2 { margin: 1.5rem 0 .5rem; font-size: 1.0625rem; }
p { margin: 0 0 1rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
dl { margin: 0 0 1rem; }
dl > div { padding: .5rem 0; border-top: 1px solid var(--line); }
dl > div:first-child { border-top: 0; }
dt { color: var(--quiet); font-size: .875rem; }
dd {
  display: flex; justify-content: space-between; align-items: center; gap: .75rem;
  margin: 0; font-weight: 600; font-variant-numeric: tabular-nums;
}
dd button { flex: none; }
.banks { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: .5rem; margin: 0; padding: 0; list-style: none; }
.banks a {
  display: flex; align-items: center; gap: .625rem; min-height: 3.5rem; padding: .5rem .625rem;
  border: 1px solid var(--line); border-radius: .75rem; color: inherit; text-decoration: none; line-height: 1.2;
}
.banks a:hover { border-color: var(--accent); }
.banks img { flex: none; width: 2.25rem; height: 2.25rem; }
form { display: grid; gap: 1rem; }
.field { display: grid; gap: .25rem; }
.field small { color: var(--quiet); }
input, select {
  width: 100%; min-height: 2.75rem; padding: .5rem .75rem;
  border: 1px solid var(--quiet); border-radius: .625rem; background: var(--card); color: inherit; font: inherit;
}
[type=checkbox] { flex: none; width: 1.375rem; min-height: 1.375rem; margin: 0; accent-color: var(--accent); }
.check { display: flex; gap: .625rem; align-items: center; min-height: 2.75rem; }
[aria-invalid=true] { border-color: var(--danger); }
.error { color: var(--danger); font-weight: 600; }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: .5rem 1.125rem;
  border: 1px solid var(--accent); border-radius: .625rem; background: var(--accent); color: var(--on-accent);
  font: inherit; font-weight: 600; text-decoration: none; cursor: pointer;
}
.plain { background: none; color: var(--accent); }
.actions { display: flex; flex-wrap: wrap; gap: .625rem; margin: 1rem 0 0; }
form > .actions { margin: 0; }
.actions:empty { display: none; }
.actions > * { flex: 1 1 auto; }
.actions > :first-child { flex: 1 1 12rem; }
.play { margin-top: 1.5rem; padding: 1rem; border: 1px dashed var(--play-line); border-radius: .75rem; background: var(--play); }
.play h2 { margin-top: 0; }
.play p { margin-bottom: .75rem; }
.done::before {
  content: "✓"; display: grid; place-items: center; width: 3rem; height: 3rem; margin-bottom: .75rem;
  border-radius: 50%; background: var(--accent); color: var(--on-accent); font-size: 1.5rem;
}
@media (max-width: 30rem) {
  .actions { flex-direction: column; }
  .actions > *, .actions > :first-child { flex: none; }
}
@media (max-width: 26rem) {
  body { padding-inline: .5rem; }
  main { padding: 1rem .75rem; }
  input, select { padding-inline: .5rem; }
  #iban { letter-spacing: -.03em; }
}
`;

/**
 * Shows the copy buttons if the browser can copy, and sends the session of the vendor form. Everything else on the
 * pages works without a script.
 */
const SCRIPT = `const status = document.querySelector('[role=status]');
for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = !navigator.clipboard;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      status.textContent = button.dataset.copied;
    } catch {
      // The shopper can select the text on the page and copy it by hand.
    }
  });
}
for (const input of document.querySelectorAll('input[data-session]')) {
  sessionStorage.setItem('vendor-session', input.dataset.session);
  input.form.addEventListener('submit', () => (input.value = sessionStorage.getItem('vendor-session')));
}
`;
