/** What is served beside the code. */

import {readFileSync} from 'node:fs';
import type {Plugin} from 'vite';

/** The licence of what is not ours goes where the code goes. */
export function licence(): Plugin {
  return {
    name: 'licence',
    generateBundle() {
      const source = readFileSync(new URL('../../node_modules/lit/LICENSE', import.meta.url), 'utf8');
      this.emitFile({type: 'asset', fileName: `vezne/${version}/lit-licence.txt`, source});
    },
  };
}

/** The description of the API, as `npm run describe` wrote it. */
export function apiDescription(): Plugin {
  return {
    name: 'api-description',
    generateBundle() {
      const source = readFileSync(new URL('../../worker/openapi.json', import.meta.url), 'utf8');
      this.emitFile({type: 'asset', fileName: 'openapi.json', source});
    },
  };
}

/** How the edge serves the files: to any origin, the script and the description for minutes, what is named by its content forever. */
export function headers(): Plugin {
  const any = [
    'Access-Control-Allow-Origin: *',
    'Cross-Origin-Resource-Policy: cross-origin',
    'X-Content-Type-Options: nosniff',
  ];
  const rules = {
    '/vezne.js': [...any, 'Cache-Control: public, max-age=300'],
    '/activity.js': [...any, 'Cache-Control: public, max-age=300'],
    '/openapi.json': [...any, 'Cache-Control: public, max-age=300'],
    '/vezne/*': [...any, 'Cache-Control: public, max-age=31536000, immutable'],
  };
  const source = Object.entries(rules).map(([path, lines]) => [path, ...lines.map((line) => `  ${line}`)].join('\n'));
  return {
    name: 'headers',
    generateBundle() {
      this.emitFile({type: 'asset', fileName: '_headers', source: `${source.join('\n')}\n`});
    },
  };
}

/** Of the kit: elements of two versions on one page do not meet. */
export const {version} = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
