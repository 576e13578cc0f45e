// @ts-check
// Releases: compares their versions, and reads what CHANGELOG.md says about them.

/** @typedef {{version: string, stores: string, text: string}} Change */

/** Compares versions by their numbers. @param {string} a @param {string} b */
export const compareVersions = (a, b) => a.localeCompare(b, 'en', {numeric: true});

/**
 * The sections of a CHANGELOG.md of the versions after one, up to another, whose section must not be missing.
 * @param {string} changelog
 * @param {string} from
 * @param {string} to
 * @returns {Change[]}
 */
export function changesBetween(changelog, from, to) {
  const changes = changelog
    .split(/^(?=## )/m)
    .flatMap((text) => {
      const [, version] = /^## (\d+\.\d+\.\d+)/.exec(text) ?? [];
      const [, stores = 'unknown'] = /^Stores: ([^]*?)\n(?:\n|$)/m.exec(`${text}\n`) ?? [];
      return version ? [{version, stores: stores.replaceAll('\n', ' '), text}] : [];
    })
    .filter(({version}) => compareVersions(version, from) > 0 && compareVersions(version, to) <= 0);
  const isComplete = compareVersions(from, to) >= 0 || changes.some(({version}) => version === to);
  return isComplete ? changes : [{version: to, stores: 'unknown', text: ''}, ...changes];
}

/** The releases after one, up to another, that change stores. @param {[changelog: string, from: string, to: string]} range */
export const storeChangesBetween = (...range) =>
  changesBetween(...range).filter(({stores}) => !/^unchanged\b/i.test(stores));
