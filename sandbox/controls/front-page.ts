/** The page that describes the sandbox and its controls. */

import {CONTROLS} from './controls.ts';

const FRONT_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Vezne sandbox</title>
<style>
  :root { color-scheme: light dark; }
  body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
  dd { margin-inline-start: 1.5rem; }
  dt { margin-top: 1rem; font-family: ui-monospace, monospace; }
</style>
<main>
<h1>Vezne sandbox</h1>
<p>A stand-in for the payment platform, as its specification describes it, for development and tests. It involves no
real bank or money. Its interfaces begin at <code>/phs</code>, <code>/micropayment</code>, <code>/pay</code> and <code>/landing</code>. The controls below take and return JSON.
<code>docs/sandbox.md</code> explains how to reach each status.</p>
<dl>
${CONTROLS.map(({method, path, summary}) => `<dt>${method} ${path}</dt><dd>${summary}</dd>`).join('\n')}
</dl>
</main>
</html>
`;

/** GET /: describes the sandbox and its controls. */
export function answerFrontPage(): Response {
  return new Response(FRONT_PAGE, {headers: {'content-type': 'text/html; charset=utf-8'}});
}
