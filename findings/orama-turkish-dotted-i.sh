#!/usr/bin/env bash
# @orama/orama 3.1.18, a search index with `language: 'turkish'`, over names of bank branches.
# Expected: "İstanbul" and "istanbul" find the branch in İstanbul, and only it, as with MiniSearch 7.2.0 and a `processTerm`
# that lowers letters as in Turkish. Seen: the Turkish tokenizer cuts the word into "i" and "stanbul". So "istanbul" finds
# nothing, "İstanbul" also finds what has another word with I or İ in front, and "stanbul" finds the branch.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @orama/orama@3.1.18 minisearch@7.2.0

cat >find.mjs <<'END'
import {create, insert, search} from '@orama/orama';
import MiniSearch from 'minisearch';
const branches = ['İstanbul', 'İzmir', 'Isparta', 'Ankara'];
const index = create({schema: {branch: 'string'}, language: 'turkish'});
for (const branch of branches) await insert(index, {branch});
const mini = new MiniSearch({fields: ['branch'], storeFields: ['branch'], processTerm: (term) => term.toLocaleLowerCase('tr')});
mini.addAll(branches.map((branch, id) => ({id, branch})));
for (const term of ['İstanbul', 'istanbul', 'stanbul', 'Ankara']) {
  const {hits} = await search(index, {term});
  const names = (found) => (found.map(({branch}) => branch).sort().join(' ') || '-');
  console.log(`${term}: Orama ${names(hits.map(({document}) => document))}, MiniSearch ${names(mini.search(term))}`);
}
END
for library in @orama/orama minisearch; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node find.mjs | tee seen.txt
[[ $(cat seen.txt) == $'İstanbul: Orama Isparta İstanbul İzmir, MiniSearch İstanbul\nistanbul: Orama -, MiniSearch İstanbul\nstanbul: Orama İstanbul, MiniSearch -\nAnkara: Orama Ankara, MiniSearch Ankara' ]]
