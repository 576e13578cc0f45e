// @ts-check
// Adds missing builds to the package-lock.json files. A build is a package with the binaries of a tool for one
// operating system. npm leaves out the builds that the current registry does not serve, and then `npm ci` fails on the
// operating systems of these builds. Run this script when `npm test -- lock` says so: node scripts/run.cjs
// complete-lock. An added build has no checksum until a registry serves the build, so every run of this script asks the
// registry for the missing checksums.
//
// --check    changes nothing; fails if a build is missing, or if the registry serves a checksum that the lock lacks
// --offline  does not contact the registry

import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {runNpm} from './lib/install.mjs';
import {repoPath} from './lib/repo.mjs';

/** Folders with a package-lock.json. */
const LOCKED_FOLDERS = ['.', 'test/bench/peer', 'test/faults/workerd-next'];

/**
 * @typedef {object} LockedPackage
 * @property {string} [name] The package's real name if it is installed under an alias.
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 * @property {Record<string, string>} [optionalDependencies]
 */
/** @typedef {Record<string, LockedPackage>} Packages The packages by installation path. */

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

/** Reads the system and processor of a build from its name: `@oxlint/binding-linux-x64-musl`. @param {string} name */
function platformOf(name) {
  const parts = name.replace('windows', 'win32').replace(/-64$/, '-x64').split(/[-/]/);
  const os = parts.filter((part) => SYSTEMS.has(part));
  const cpu = parts.filter((part) => PROCESSORS.has(part));
  const libc = parts.some((part) => part.startsWith('musl'))
    ? ['musl']
    : os[0] === 'linux' && parts.some((part) => part.startsWith('gnu'))
      ? ['glibc']
      : [];
  return {cpu, libc, os};
}

/**
 * The lock entry of a build, with its fields in npm's order.
 * @param {string} name
 * @param {string} version
 * @param {boolean} [dev]
 * @returns {LockedPackage}
 */
function lockedBuild(name, version, dev) {
  const {cpu, libc, os} = platformOf(name);
  return {
    version,
    ...(cpu.length > 0 && {cpu}),
    ...(dev && {dev}),
    ...(libc.length > 0 && {libc}),
    optional: true,
    ...(os.length > 0 && {os}),
  };
}

/**
 * The paths at which Node looks for the package `name` on behalf of the package at `from`, nearest first.
 * @param {string} from
 * @param {string} name
 */
function* lookupPaths(from, name) {
  for (let folder = from; folder !== ''; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/'))))
    yield `${folder}/node_modules/${name}`;
  yield `node_modules/${name}`;
}

/**
 * @param {Packages} packages
 * @returns {Packages} The builds that the lock lacks.
 */
function missingBuilds(packages) {
  /** @type {Packages} */
  const missing = {};
  for (const [installPath, {dev, optionalDependencies = {}}] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      // A tool names the exact version of each of its builds. An optional dependency with a version range is not a
      // build.
      if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) continue;
      const candidates = [...lookupPaths(installPath, name)];
      const nearest = candidates.find((candidate) => candidate in packages || candidate in missing);
      if ((nearest && (packages[nearest] ?? missing[nearest])?.version) === version) continue;
      const target = nearest === undefined ? `node_modules/${name}` : candidates[0];
      if (target) missing[target] = lockedBuild(name, version, dev);
    }
  }
  return missing;
}

/** @param {string} installPath @param {LockedPackage} locked */
const nameAndVersion = (installPath, {name, version}) =>
  `${name ?? installPath.split('node_modules/').at(-1)}@${version}`;

/** @param {Packages} packages */
const withoutChecksum = (packages) =>
  Object.entries(packages).filter(([installPath, {integrity}]) => installPath !== '' && integrity === undefined);

/**
 * Fetches the missing checksums from the registry. To do so, it lets npm write a new lock, in a temporary folder, for
 * the packages that depend on these builds.
 * @param {Packages} packages
 * @returns {Map<string, string> | undefined} Checksums by `name@version`; undefined if npm gets no answer.
 */
function servedChecksums(packages) {
  const wanted = new Set(withoutChecksum(packages).map(([installPath, locked]) => nameAndVersion(installPath, locked)));
  const parents = Object.entries(packages)
    .filter(([, {optionalDependencies = {}}]) =>
      Object.entries(optionalDependencies).some(([name, version]) => wanted.has(`${name}@${version}`)),
    )
    .map(([installPath, locked]) => nameAndVersion(installPath, locked));
  if (parents.length === 0) return new Map();
  const folder = mkdtempSync(path.join(tmpdir(), 'vezne-lock-'));
  try {
    const dependencies = Object.fromEntries(parents.map((parent, index) => [`parent-${index}`, `npm:${parent}`]));
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({private: true, dependencies}));
    if (!runNpm(['install', '--package-lock-only', '--ignore-scripts'], folder)) return undefined;
    /** @type {Packages} */
    const served = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')).packages;
    return new Map(
      Object.entries(served).flatMap(([installPath, locked]) => {
        const key = nameAndVersion(installPath, locked);
        return locked.integrity && wanted.has(key) ? [/** @type {const} */ ([key, locked.integrity])] : [];
      }),
    );
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

/**
 * @param {string} folder
 * @param {{check: boolean, offline: boolean}} options
 * @returns {string[]} The problems of the folder's lock.
 */
function completeLock(folder, {check, offline}) {
  const file = repoPath(folder, 'package-lock.json');
  const shown = path.join(folder, 'package-lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const missing = missingBuilds(lock.packages);
  /** @type {Packages} */
  const packages = {...lock.packages, ...missing};
  const served = offline ? new Map() : servedChecksums(packages);
  if (!served) console.warn(`${shown}: the registry did not answer, so missing checksums were not looked up.`);

  // Only an optional build for one system may lack its checksum.
  const problems = withoutChecksum(packages)
    .filter(([, {optional, os, cpu}]) => !optional || !(os ?? cpu))
    .map(([installPath]) => `${shown}: ${installPath} has no checksum.`);
  const [added, found] = [Object.keys(missing).length, served?.size ?? 0];
  if (check) {
    const run = 'run node scripts/run.cjs complete-lock.';
    if (added > 0) problems.push(`${shown} lacks ${added} builds for other systems, so npm ci fails: ${run}`);
    if (found > 0) problems.push(`${shown} lacks ${found} checksums that the registry serves: ${run}`);
  } else if (added + found > 0) {
    for (const [installPath, locked] of withoutChecksum(packages)) {
      const integrity = served?.get(nameAndVersion(installPath, locked));
      const {version, ...rest} = locked;
      if (integrity) packages[installPath] = {...(version && {version}), integrity, ...rest};
    }
    const [root = ['', {}], ...rest] = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
    lock.packages = Object.fromEntries([root, ...rest]);
    writeFileSync(file, `${JSON.stringify(lock, undefined, 2)}\n`);
    console.log(`${shown}: added ${added} builds for other systems and ${found} checksums.`);
  }
  console.log(`${shown}: ${withoutChecksum(packages).length} builds for other systems have no checksum.`);
  return problems;
}

const options = {check: process.argv.includes('--check'), offline: process.argv.includes('--offline')};
const problems = LOCKED_FOLDERS.flatMap((folder) => completeLock(folder, options));
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
