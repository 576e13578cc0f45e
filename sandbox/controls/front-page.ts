import {CONTROLS} from './controls.ts';

/** GET /: what this is and how it is steered. */
export function answerFrontPage(): Response {
  return new Response(PAGE, {headers: {'content-type': 'text/html; charset=utf-8'}});
}

const PAGE = `<!doctype html>
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
<p>The payment platform as its specification describes it, for development and tests. No bank, no money.
Its interfaces begin at <code>/phs</code>, <code>/micropayment</code>, <code>/pay</code> and <code>/landing</code>; it is steered with JSON at the controls below.
What brings which status about stands in <code>docs/sandbox.md</code>.</p>
<dl>
${CONTROLS.map(({method, path, summary}) => `<dt>${method} ${path}</dt><dd>${summary}</dd>`).join('\n')}
</dl>
</main>
</html>
`;
