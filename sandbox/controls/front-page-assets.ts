/** The style sheet and the script of the front page. */

/** The style sheet. It has the colors of the demo's bank counter, because this page too is a tool of the demo. */
export const STYLES = `:root {
  color-scheme: light dark;
  --ground: light-dark(#eaeff7, #111a2b);
  --card: light-dark(#fff, #18243b);
  --ink: light-dark(#15233f, #e3eaf8);
  --soft: light-dark(#4c5d7d, #a3b3d0);
  --line: light-dark(#c5d0e2, #33435f);
  --accent: light-dark(#234a9f, #a3bffa);
  --on-accent: light-dark(#fff, #0d1b38);
  --bad: light-dark(#a11a1a, #ffb3ab);
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
.bar { background: #14213d; border-bottom: 3px solid #ffd166; }
.bar div, main { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem; }
.bar div { display: flex; gap: 0 1.25rem; align-items: center; }
.bar a { display: inline-flex; align-items: center; min-height: 48px; color: #eef2fb; text-decoration: none; }
.bar .brand { gap: .5rem; margin-inline-end: auto; font-weight: 600; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.bar :focus-visible { outline-color: #ffd166; outline-offset: -3px; }
main { padding-block: 1.5rem 4rem; }
h1 { margin: 0; font-size: clamp(1.8rem, 5vw, 2.4rem); line-height: 1.15; }
h2 { margin: 2.5rem 0 .8rem; font-size: 1.35rem; }
h3 { margin: 0; font-size: 1.05rem; }
p { margin: .6rem 0 0; max-width: 46rem; }
.quiet, small { color: var(--soft); font-size: .9rem; }
code, pre, textarea { font-family: ui-monospace, 'SFMono-Regular', Menlo, Consolas, monospace; font-size: .875rem; }
.controls { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); gap: 1rem; }
.control { display: flex; flex-direction: column; gap: .6rem; padding: 1rem 1.1rem; background: var(--card); border: 1px solid var(--line); border-radius: 14px; }
.control p { margin: 0; }
label { display: grid; gap: .25rem; font-weight: 600; font-size: .9rem; }
input, textarea { width: 100%; min-height: 44px; padding: .5rem .75rem; color: inherit; background: var(--ground); border: 1px solid var(--soft); border-radius: 10px; font-size: 1rem; }
textarea { resize: vertical; font-size: .9rem; }
button { min-height: 44px; padding: .4rem 1.2rem; font: inherit; font-weight: 600; color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: 10px; cursor: pointer; }
.control button { margin-top: auto; }
nav { display: flex; flex-wrap: wrap; gap: 0 1.5rem; margin-top: .6rem; }
nav a { display: inline-flex; align-items: center; min-height: 44px; }
[data-confirm] { color: var(--bad); background: none; border-color: var(--bad); }
[data-method=GET] button { color: var(--accent); background: none; }
pre { margin: 0; padding: .7rem .8rem; max-height: 18rem; overflow: auto; background: var(--ground); border-radius: 10px; white-space: pre-wrap; }
.failed { color: var(--bad); }
`;

/**
 * The script. It runs a control when the form of the control is submitted, and shows the answer in the form. A button
 * with `data-confirm` needs a second press.
 */
export const SCRIPT = `for (const form of document.querySelectorAll('form.control')) {
  let label;
  form.addEventListener('focusout', ({target}) => {
    if (label && target.dataset.confirm) target.textContent = label;
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const {method, path} = form.dataset;
    const button = form.querySelector('button');
    const {confirm} = button.dataset;
    if (confirm && button.textContent !== confirm) {
      label = button.textContent;
      button.textContent = confirm;
      return;
    }
    if (confirm) button.textContent = label;
    const output = form.querySelector('pre');
    const fields = new FormData(form);
    const address = path.replace(/\\{(\\w+)\\}/g, (_, name) => encodeURIComponent(fields.get(name)));
    try {
      const response = await fetch(address, method === 'GET' ? {} : {method, body: fields.get('body') ?? ''});
      output.textContent = JSON.stringify(await response.json(), null, 2);
      output.classList.toggle('failed', !response.ok);
    } catch {
      output.textContent = document.body.dataset.away;
      output.classList.add('failed');
    }
    output.hidden = false;
  });
}
// The first form pays the newest order.
try {
  const [order] = (await (await fetch('/_sandbox/orders?limit=1')).json()).orders;
  const field = document.querySelector('[data-path="/_sandbox/transfers"] textarea');
  if (order && field.value === field.defaultValue) {
    field.value = JSON.stringify({...JSON.parse(field.value), description: order.order_code, amount: order.amount});
  }
} catch {
  // Without an order, the form shows an example.
}
`;

export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" width="28" height="28"><rect width="48" height="48" rx="11" fill="#0b6b57"/><path d="M11 14.5 21.2 35h5.6L37 14.5" fill="none" stroke="#fff" stroke-width="5.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
