// @ts-check
// The step `lock` of `npm test`: every package-lock.json has a build of each tool for each operating system. A registry
// that serves only some builds makes npm leave out the others, and then `npm ci` fails on their operating systems.

import {readFileSync} from 'node:fs';
import process from 'node:process';
import {repoPath} from './lib/repo.mjs';

const EXAMPLES = ['generated-clients', 'next', 'react', 'vue'].map((name) => `examples/${name}`);
/** Folders with a package-lock.json. */
const LOCKED_FOLDERS = [
  '.',
  'scripts/browsers',
  'scripts/page-tools',
  'test/bench/peer',
  'test/faults/workerd-next',
  'test/frameworks',
  'test/page-libraries',
  ...EXAMPLES,
];

/**
 * @typedef {{version?: string, integrity?: string, optional?: boolean, os?: string[], cpu?: string[],
 *   optionalDependencies?: Record<string, string>}} LockedPackage
 */

const problems = LOCKED_FOLDERS.flatMap((folder) => {
  /** @type {Record<string, LockedPackage>} */
  const packages = JSON.parse(readFileSync(repoPath(folder, 'package-lock.json'), 'utf8')).packages;
  const locked = Object.entries(packages);
  const named = new Set(locked.map(([place, {version}]) => `${place.split('node_modules/').at(-1)}@${version}`));
  // A tool names the exact version of each of its builds. An optional dependency with a version range is not a build.
  const missing = locked
    .flatMap(([, {optionalDependencies = {}}]) => Object.entries(optionalDependencies))
    .filter(([name, version]) => /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version) && !named.has(`${name}@${version}`))
    .map(([name, version]) => `${folder}/package-lock.json lacks the build ${name}@${version}.`);
  // The lock can name a build for another system that the registry did not serve; its checksum is then unknown.
  const unverified = locked
    .filter(([place, {integrity, optional, os, cpu}]) => place !== '' && !integrity && (!optional || !(os ?? cpu)))
    .map(([place]) => `${folder}/package-lock.json: ${place} has no checksum.`);
  return missing.concat(unverified);
});
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error('Write the lock again with a registry that serves all builds (docs/decisions/scripts-and-install.md).');
  process.exitCode = 1;
}
