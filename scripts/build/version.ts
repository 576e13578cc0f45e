import {readFileSync} from 'node:fs';

/** Of the kit: elements of two versions on one page do not meet. */
export const {version} = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
