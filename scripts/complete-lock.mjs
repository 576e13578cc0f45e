// @ts-check
// Puts into package-lock.json what npm leaves out: the builds for other systems that the registry at hand did not have when
// the lock was written. Without them `npm ci` refuses in every fresh clone. Run after `npm install`, if `npm test -- lock`
// asks for it: node scripts/run.cjs complete-lock. What it adds has no checksum: npm adds that where it can see the package.

import {readFileSync, writeFileSync} from 'node:fs';
import process from 'node:process';
import {repoPath} from './lib/repo.mjs';

/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 * @property {Record<string, string>} [optionalDependencies]
 */

const SYSTEMS = new Set([
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]);
const PROCESSORS = new Set([
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'x64',
  'wasm32',
]);

/** What a build is for, read from its name: `@oxlint/binding-linux-x64-musl`. @param {string} name */
function platformOf(name) {
  const words = name.replace('windows', 'win32').replace(/-64$/, '-x64').split(/[-/]/);
  const os = words.filter((word) => SYSTEMS.has(word));
  const cpu = words.filter((word) => PROCESSORS.has(word));
  const libc = words.some((word) => word.startsWith('musl'))
    ? ['musl']
    : os[0] === 'linux' && words.some((word) => word.startsWith('gnu'))
      ? ['glibc']
      : [];
  return {...(cpu.length > 0 && {cpu}), ...(libc.length > 0 && {libc}), ...(os.length > 0 && {os})};
}

/** The places where a package at `where` finds `name`, nearest first. @param {string} where @param {string} name */
function* placesOf(where, name) {
  for (let at = where; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/'))))
    yield `${at}/node_modules/${name}`;
  yield `node_modules/${name}`;
}

/**
 * @param {Record<string, LockedPackage>} packages
 * @returns {Record<string, LockedPackage>} What has to be added.
 */
function missingBuilds(packages) {
  /** @type {Record<string, LockedPackage>} */
  const missing = {};
  for (const [where, {dev, optionalDependencies = {}}] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      // Builds are asked for by their exact version; a range is somebody's else.
      if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) continue;
      const places = [...placesOf(where, name)];
      const nearest = places.find((place) => place in packages || place in missing);
      if ((nearest && (packages[nearest] ?? missing[nearest])?.version) === version) continue;
      const place = nearest === undefined ? `node_modules/${name}` : places[0];
      if (place) missing[place] = {version, ...(dev && {dev}), optional: true, ...platformOf(name)};
    }
  }
  return missing;
}

const file = repoPath('package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
const missing = missingBuilds(lock.packages);
const names = Object.keys(missing);

if (names.length === 0) {
  console.log('package-lock.json is complete.');
} else if (process.argv.includes('--check')) {
  console.error(
    `package-lock.json lacks ${names.length} builds for other systems, so npm ci refuses: run node scripts/run.cjs complete-lock.`,
  );
  process.exitCode = 1;
} else {
  const [root = ['', {}], ...rest] = Object.entries({...lock.packages, ...missing}).sort(([a], [b]) =>
    a.localeCompare(b, 'en'),
  );
  lock.packages = Object.fromEntries([root, ...rest]);
  writeFileSync(file, `${JSON.stringify(lock, undefined, 2)}\n`);
  console.log(`Added ${names.length} builds for other systems to package-lock.json.`);
}
