// @ts-check
// Writes docs/errors.md from the contract: every error code with its status, its meaning and, after an arrow, what to do.

import {ERROR_KINDS, PAGE_ERROR_CODES} from '../../worker/contract/codes.ts';
import {PAGE_ERROR_GUIDE} from '../../worker/contract/page-error-guide.ts';
import {SERVER_ERROR_GUIDE} from '../../worker/contract/server-error-guide.ts';

const INTRODUCTION = `# Error codes

\`npm run describe\` writes this page from the contract.

Every error has a body of the type \`application/problem+json\` (RFC 9457). Its \`code\` is one of the codes below, and
\`retryable\` says whether the same request may succeed later. \`type\` is the path of a page about the code:
\`/problems/<code>\`. Compare \`code\`, because a later version may move the pages. An arrow says what to do.
`;

/** @typedef {import('../../worker/contract/codes.ts').ErrorCode} ErrorCode */
/** @typedef {import('../../worker/contract/page-error-guide.ts').ErrorGuide} ErrorGuide */

/** @returns {string} The text of docs/errors.md. */
export function errorDocs() {
  const pageCodes = /** @type {readonly string[]} */ (PAGE_ERROR_CODES);
  const pageRows = Object.entries(PAGE_ERROR_GUIDE).sort(([a], [b]) => pageCodes.indexOf(a) - pageCodes.indexOf(b));
  return [
    INTRODUCTION,
    '## Codes for pages and servers\n',
    pageRows.map(section).join('\n'),
    '## Codes only for servers\n',
    Object.entries(SERVER_ERROR_GUIDE).map(section).join('\n'),
  ].join('\n');
}

/** @param {[string, ErrorGuide]} row */
function section([code, {meaning, action}]) {
  const {status, retryable} = ERROR_KINDS[/** @type {ErrorCode} */ (code)];
  const statuses = code === 'invalid_request' ? `${status} or 400` : status;
  return `### \`${code}\`\n\n${wrap(`${statuses}${retryable ? ', retryable' : ''}. ${meaning}`)}\n\n${wrap(`→ ${action}`)}\n`;
}

const LINE_LENGTH = 120;

/** Breaks a paragraph into lines. @param {string} text */
function wrap(text) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= LINE_LENGTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}
