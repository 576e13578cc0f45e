// @ts-check
/** A stub of Cloudflare's API, as far as wrangler uses it to deploy a Worker, list its deployments and go back. */

import {once} from 'node:events';
import {createServer} from 'node:http';

const ACCOUNT = 'a'.repeat(32);

/** @typedef {{id: string, tag: string, bindings: {name: string, type: string, text?: string}[], exports: string[]}} Version */

/** @param {number} count */
const idOf = (count) => `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;

/** @param {number} index */
const minute = (index) => new Date(1_800_000_000_000 + index * 60_000).toISOString();

/** @param {string} id @param {number} index */
const toDeployment = (id, index) => ({
  id: `deployment-${index}`,
  source: 'wrangler',
  strategy: 'percentage',
  author_email: 'stub@shop.example',
  created_on: minute(index),
  versions: [{version_id: id, percentage: 100}],
});

export async function startCloudflare() {
  /** @type {Version[]} */
  const versions = [];
  /** The ids of the versions that were activated, oldest first. @type {string[]} */
  const deployed = [];
  /** What wrangler called. @type {string[]} */
  const calls = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const path = (request.url ?? '').replace(/\?.*/, '').replace(`/accounts/${ACCOUNT}`, '');
    const changed = path.endsWith('/deployments') && !/force=true/.test(request.url ?? '') ? changedSecrets(body) : [];
    const found =
      changed.length > 0
        ? undefined
        : await answer(`${request.method} ${path}`, body, String(request.headers['content-type']));
    calls.push(`${request.method} ${path}`);
    response.writeHead(found === undefined ? 404 : 200, {'content-type': 'application/json'});
    const error =
      changed.length > 0
        ? {code: 10_220, message: `The following secrets have changed: ${changed.join(', ')}`}
        : {code: 10_007, message: `The stub does not know ${request.method} ${path}.`};
    response.end(
      JSON.stringify({
        success: found !== undefined,
        errors: found === undefined ? [error] : [],
        messages: [],
        result: found ?? null,
      }),
    );
  });

  /** The secrets that would get other values. @param {Buffer} body */
  function changedSecrets(body) {
    if (body.length === 0) return [];
    const [now, next] = [deployed.at(-1), JSON.parse(body.toString()).versions[0].version_id].map(
      (wanted) => versions.find(({id}) => id === wanted)?.bindings.filter(({type}) => type === 'secret_text') ?? [],
    );
    return (now ?? [])
      .filter(({name, text}) => next?.find((other) => other.name === name)?.text !== text)
      .map(({name}) => name);
  }

  /** @param {string} call @param {Buffer} body @param {string} type @returns {Promise<unknown>} Undefined if the stub does not know it. */
  async function answer(call, body, type) {
    const [, viewed] = /^GET \/workers\/scripts\/\w+\/versions\/(.+)$/.exec(call) ?? [];
    if (viewed) return toVersion(versions.find(({id}) => id === viewed));
    switch (call.replace(/\/(scripts|services|workers)\/shop/, '/$1/*')) {
      case 'GET /workers/subdomain':
        return {subdomain: 'stub'};
      case 'GET /workers/workers/*':
        return {id: 'shop', name: 'shop', subdomain: {enabled: true, previews_enabled: false}};
      case 'GET /workers/services/*':
        return versions.length === 0 ? undefined : {default_environment: {script: {last_deployed_from: 'wrangler'}}};
      case 'GET /workers/scripts/*/secrets':
        return versions.length === 0 ? undefined : [];
      case 'POST /workers/scripts/*/assets-upload-session':
        return {jwt: 'header.e30.signature', buckets: []};
      case 'PUT /workers/scripts/*': {
        const form = await new Response(new Uint8Array(body), {headers: {'content-type': type}}).formData();
        const metadata = JSON.parse(String(form.get('metadata')));
        const id = idOf(versions.length + 1);
        versions.push({
          id,
          tag: metadata.annotations?.['workers/tag'],
          bindings: metadata.bindings,
          exports: Object.keys(metadata.exports ?? {}),
        });
        deployed.push(id);
        return {id: 'shop', tag: 'stub', etag: id, deployment_id: id, entry_point: 'index.js', startup_time_ms: 9};
      }
      case 'POST /workers/scripts/*/subdomain':
      case 'GET /workers/scripts/*/subdomain':
        return {enabled: true, previews_enabled: false};
      case 'PATCH /workers/scripts/*/script-settings':
        return {};
      case 'GET /workers/scripts/*/versions':
        return {items: versions.map(toListed)};
      case 'GET /workers/scripts/*/deployments':
        return deployed.length === 0 ? undefined : {deployments: deployed.map(toDeployment)};
      case 'POST /workers/scripts/*/deployments':
        deployed.push(JSON.parse(body.toString()).versions[0].version_id);
        return toDeployment(String(deployed.at(-1)), deployed.length - 1);
    }
    return undefined;
  }
  /** @param {Version | undefined} version */
  const toVersion = (version) =>
    version && {...toListed(version), resources: {bindings: version.bindings, script: {}, script_runtime: {}}};

  /** @param {Pick<Version, 'id' | 'tag'>} version */
  const toListed = ({id, tag}) => {
    const index = versions.findIndex((version) => version.id === id);
    return {
      id,
      number: index + 1,
      annotations: {'workers/tag': tag},
      metadata: {created_on: minute(index)},
    };
  };

  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    versions,
    deployed,
    calls,
    env: {
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${address.port}`,
      CLOUDFLARE_ACCOUNT_ID: ACCOUNT,
      CLOUDFLARE_API_TOKEN: 'the-token-of-a-stub',
    },
    /** What a second deployment of the last version does. */
    deployAgain() {
      const last = versions.at(-1);
      if (!last) throw new Error('Nothing is deployed.');
      const id = idOf(versions.length + 1);
      versions.push({...last, id});
      deployed.push(id);
    },
    close: () => server.close(),
  };
}
