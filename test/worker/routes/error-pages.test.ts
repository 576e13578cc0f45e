/** `GET /problems/{code}`: the page of each error code. */

import {expect, test} from 'vitest';
import {ERROR_CODES, ERROR_KINDS} from '../../../worker/contract/codes.ts';
import {PAGE_ERROR_GUIDE} from '../../../worker/contract/page-error-guide.ts';
import {SERVER_ERROR_GUIDE} from '../../../worker/contract/server-error-guide.ts';
import {logLines} from '../support/log-lines.ts';
import {ask} from '../support/page.ts';
import {expectProblem, PROBLEMS} from '../support/problems.ts';

test.each(ERROR_CODES)(
  'the page about the error code %s shows its status, its meaning and what to do',
  async (code) => {
    const answer = await ask(`/problems/${code}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const text = textOf(answer.text);
    expect(text).toContain(`<h1>${code}</h1>`);
    expect(text).toContain(`${ERROR_KINDS[code].status}`);
    const {meaning, action} = {...PAGE_ERROR_GUIDE, ...SERVER_ERROR_GUIDE}[code];
    for (const sentence of [ERROR_KINDS[code].title, meaning, action]) {
      expect(sentence).toMatch(/^[A-Z].{8,}[.)]$/);
      expect(text).toContain(`<p>${sentence.replaceAll('`', '')}</p>`);
    }
  },
);

/** The page's HTML without `<code>` tags and with `&lt;` and `&amp;` decoded. */
function textOf(html: string): string {
  return html
    .replaceAll(/<\/?code>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
}

test('the `type` of a problem is the path of the page about its code', async () => {
  const problem = (await ask('/v1/nothing-here')).body as {readonly type: string; readonly code: string};
  const page = await ask(problem.type);
  expect(page.status).toBe(200);
  expect(page.text).toContain(`<h1>${problem.code}</h1>`);
});

test.each(['unheard_of', '', 'toString', '__proto__', 'not_found/more', '%3Cscript%3E'])(
  'there is no page about the code "%s"',
  async (code) => {
    const answer = await ask(`/problems/${code}`);
    expectProblem(answer, PROBLEMS.not_found);
  },
);

test('the page about the error code misconfigured is served even if the configuration is wrong', async () => {
  expect((await ask('/problems/misconfigured', {bindings: {SESSION_SECRET: undefined}})).status).toBe(200);
});

test('an error page answers HEAD without a body, and refuses methods other than GET and HEAD', async () => {
  const head = await ask('/problems/not_found', {method: 'HEAD'});
  expect([head.status, head.text]).toEqual([200, '']);
  const post = await ask('/problems/not_found', {method: 'POST'});
  expectProblem(post, PROBLEMS.method_not_allowed);
  expect(post.headers.get('allow')).toBe('GET, HEAD');
});

test('the log has the route’s pattern for an error page, never the code in the URL', async () => {
  await ask('/problems/somebody@mail.example');
  expect(logLines('request')).toMatchObject([{route: '/problems/{code}', status: 404}]);
});
