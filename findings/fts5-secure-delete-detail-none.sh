#!/usr/bin/env bash
# SQLite 3.53.4, FTS5 with `detail=none` and `secure-delete`. Expected: a transaction that changes one row and adds
# another leaves an index that finds both. Seen: the index does not find the added row by a token that both have, and
# `integrity-check` fails. `detail=column`, and `detail=none` without `secure-delete`, find both.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund node-sqlite3-wasm@0.8.60

cat >find.cjs <<'END'
const {Database} = require('node-sqlite3-wasm');
for (const [detail, secure] of [['none', 1], ['none', 0], ['column', 1]]) {
  const db = new Database(':memory:');
  db.exec(`
    CREATE VIRTUAL TABLE t USING fts5(x, detail=${detail});
    INSERT INTO t (t, rank) VALUES ('secure-delete', ${secure});
    INSERT INTO t (rowid, x) VALUES (1, 'both once');
    BEGIN;
    UPDATE t SET x = 'both' WHERE rowid = 1;
    INSERT INTO t (rowid, x) VALUES (2, 'both');
    COMMIT`);
  let check = 'sound';
  try {
    db.exec(`INSERT INTO t (t) VALUES ('integrity-check')`);
  } catch {
    check = 'damaged';
  }
  const found = db.all(`SELECT rowid FROM t WHERE t MATCH 'both'`).map(({rowid}) => rowid);
  console.log(`detail=${detail} secure-delete=${secure} finds ${found}, ${check}`);
}
END
node -p "'SQLite ' + new (require('node-sqlite3-wasm').Database)(':memory:').get('SELECT sqlite_version() AS v').v"
node find.cjs | tee seen.txt
[[ $(cat seen.txt) == $'detail=none secure-delete=1 finds 1, damaged\ndetail=none secure-delete=0 finds 1,2, sound\ndetail=column secure-delete=1 finds 1,2, sound' ]]
