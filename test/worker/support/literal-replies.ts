/** Reads the hand-written replies in `test/worker/platform/operations/replies`, and makes the platform give them. */

import {expect, vi} from 'vitest';

export interface LiteralReply {
  /** The path of the call, or its beginning if ids follow. */
  readonly path: string;
  readonly text: string;
}

/** One section of a file of replies. */
export interface LiteralCase {
  /** Name of the operation. */
  readonly operation: string;
  readonly title: string;
  readonly input: object;
  readonly replies: readonly LiteralReply[];
  readonly answer: unknown;
}

/** @throws {Error} if a section lacks its input, its replies or its answer. */
export function readCases(markdown: string, placeholders: Readonly<Record<string, string>>): LiteralCase[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [, operation = '', title = ''] = /^(\w+): (.+)$/m.exec(section) ?? [];
      const blocks = [...section.matchAll(/^```json (\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(
        ([, kind = '', path = '', text = '']) => ({kind, path, text}),
      );
      const only = (kind: string): string => {
        const [block, ...others] = blocks.filter((one) => one.kind === kind);
        if (!block || others.length > 0) throw new Error(`"${operation}: ${title}" must have one ${kind}.`);
        return block.text;
      };
      const replies = blocks.filter(({kind}) => kind === 'reply').map(({path, text}) => ({path, text}));
      if (replies.length === 0) throw new Error(`"${operation}: ${title}" has no reply.`);
      const answer = Object.entries(placeholders).reduce(
        (text, [name, value]) => text.replaceAll(`{${name}}`, value),
        only('answer'),
      );
      return {
        operation,
        title,
        input: JSON.parse(only('input')) as object,
        replies,
        answer: JSON.parse(answer, anything),
      };
    });
}

const anything = (_key: string, value: unknown): unknown => (value === '{anything}' ? expect.anything() : value);

/** Reads the rows of a Markdown table, without its header. */
export function readTable(markdown: string): string[][] {
  return [...markdown.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => row.split(' | ')).slice(1);
}

/**
 * Until the test ends, answers each call of the Worker to the platform with the text for the call's path. A call of a
 * path without a text fails as if the connection broke.
 * @returns the paths that the Worker called.
 */
export function replyWith(replies: readonly LiteralReply[]): string[] {
  const called: string[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation((input) => {
    const {pathname} = new URL(input instanceof Request ? input.url : input);
    const reply = replies.find(({path}) => pathname === path || pathname.startsWith(`${path}/`));
    called.push(reply?.path ?? `${pathname} (no reply)`);
    return reply
      ? Promise.resolve(new Response(reply.text, {headers: {'content-type': 'application/json'}}))
      : Promise.reject(new TypeError('This test has no reply for the call.'));
  });
  return called;
}
