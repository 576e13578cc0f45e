// @ts-check
// Completes the locks of this repository for every system. npm leaves out the builds for other systems that the registry at
// hand does not have, and `npm ci` then refuses in every fresh clone. Run it after `npm install` when `npm test -- lock` asks
// for it: node scripts/run.cjs complete-lock. An added build has no checksum until a registry serves it; every run asks again.
//
// --check    changes nothing, and fails if a build is missing, or lacks a checksum that the registry serves
// --offline  does not ask the registry

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
 * @property {string} [name] Where it differs from the folder's: of an alias.
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 * @property {Record<string, string>} [optionalDependencies]
 */
/** @typedef {Record<string, LockedPackage>} Packages By the path they are installed at. */

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
  return {cpu, libc, os};
}

/**
 * In npm's order of fields.
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

/** The places where a package at `where` finds `name`, nearest first. @param {string} where @param {string} name */
function* placesOf(where, name) {
  for (let at = where; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/'))))
    yield `${at}/node_modules/${name}`;
  yield `node_modules/${name}`;
}

/**
 * @param {Packages} packages
 * @returns {Packages} What has to be added.
 */
function missingBuilds(packages) {
  /** @type {Packages} */
  const missing = {};
  for (const [where, {dev, optionalDependencies = {}}] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      // Builds are asked for by their exact version; a range is somebody's else.
      if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) continue;
      const places = [...placesOf(where, name)];
      const nearest = places.find((place) => place in packages || place in missing);
      if ((nearest && (packages[nearest] ?? missing[nearest])?.version) === version) continue;
      const place = nearest === undefined ? `node_modules/${name}` : places[0];
      if (place) missing[place] = lockedBuild(name, version, dev);
    }
  }
  return missing;
}

/** @param {string} where @param {LockedPackage} locked */
const nameAndVersion = (where, {name, version}) => `${name ?? where.split('node_modules/').at(-1)}@${version}`;

/** @param {Packages} packages */
const withoutChecksum = (packages) =>
  Object.entries(packages).filter(([where, {integrity}]) => where !== '' && integrity === undefined);

/**
 * The missing checksums that the registry serves. npm locks the packages that name these builds, in a folder of their own,
 * and writes down the builds it finds.
 * @param {Packages} packages
 * @returns {Map<string, string> | undefined} By name and version; undefined where the registry does not answer.
 */
function servedChecksums(packages) {
  const wanted = new Set(withoutChecksum(packages).map(([where, locked]) => nameAndVersion(where, locked)));
  const parents = Object.entries(packages)
    .filter(([, {optionalDependencies = {}}]) =>
      Object.entries(optionalDependencies).some(([name, version]) => wanted.has(`${name}@${version}`)),
    )
    .map(([where, locked]) => nameAndVersion(where, locked));
  if (parents.length === 0) return new Map();
  const folder = mkdtempSync(path.join(tmpdir(), 'vezne-lock-'));
  try {
    const dependencies = Object.fromEntries(parents.map((parent, index) => [`parent-${index}`, `npm:${parent}`]));
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({private: true, dependencies}));
    if (!runNpm(['install', '--package-lock-only', '--ignore-scripts'], folder)) return undefined;
    /** @type {Packages} */
    const served = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')).packages;
    return new Map(
      Object.entries(served).flatMap(([where, locked]) => {
        const key = nameAndVersion(where, locked);
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
 * @returns {string[]} What is wrong with its lock.
 */
function completeLock(folder, {check, offline}) {
  const file = repoPath(folder, 'package-lock.json');
  const shown = path.join(folder, 'package-lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const missing = missingBuilds(lock.packages);
  /** @type {Packages} */
  const packages = {...lock.packages, ...missing};
  const served = offline ? new Map() : servedChecksums(packages);
  if (!served) console.warn(`${shown}: the registry does not answer, so its checksums were not compared.`);

  // Only a build for some system may lack its checksum.
  const problems = withoutChecksum(packages)
    .filter(([, {optional, os, cpu}]) => !optional || !(os ?? cpu))
    .map(([where]) => `${shown}: ${where} has no checksum.`);
  const [added, found] = [Object.keys(missing).length, served?.size ?? 0];
  if (check) {
    const run = 'run node scripts/run.cjs complete-lock.';
    if (added > 0) problems.push(`${shown} lacks ${added} builds for other systems, so npm ci refuses: ${run}`);
    if (found > 0) problems.push(`${shown} lacks ${found} checksums that the registry serves: ${run}`);
  } else if (added + found > 0) {
    for (const [where, locked] of withoutChecksum(packages)) {
      const integrity = served?.get(nameAndVersion(where, locked));
      const {version, ...rest} = locked;
      if (integrity) packages[where] = {...(version && {version}), integrity, ...rest};
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
