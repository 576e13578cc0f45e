import {readFileSync} from 'node:fs';
import {repoPath} from '../../scripts/lib/repo.mjs';

/**
 * The classes of Durable Objects that a Worker's configuration declares.
 * @param file - A `wrangler.toml` with one line for each class, by its path in the repository.
 */
export function declaredClasses(file: string): string[] {
  const lines = readFileSync(repoPath(file), 'utf8').matchAll(/^(\w+) = \{type = "durable-object"/gm);
  return Array.from(lines, ([, name = '']) => name);
}
