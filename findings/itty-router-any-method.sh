#!/usr/bin/env bash
# itty-router 5.0.24. Expected: a router has the methods of HTTP, and a name that it does not have is a TypeError when the
# module is loaded. Seen: a router has a method of every name, and calling it registers a route of that name. A misspelled
# `pots`, and `listen` from another router, are accepted, and a POST to the path is answered by no route. `then` is such a
# name too, so an async function must not return a router: `await` takes it for a promise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund itty-router@5.0.24

cat >run.mjs <<'END'
import {Router} from 'itty-router/Router';
const router = Router();
router.get('/orders', () => 'list').pots('/orders', () => 'created').listen(8080 + '');
console.log(`routes: ${router.routes.map(([method]) => method).join(' ')}`);
console.log(`POST: ${await router.fetch({method: 'POST', url: 'https://shop.example/orders'})}`);
console.log(`then: ${typeof router.then}`);
END
echo 'itty-router 5.0.24'
node run.mjs | tee seen.txt
[[ $(cat seen.txt) == 'routes: GET POTS LISTEN
POST: undefined
then: function' ]]
