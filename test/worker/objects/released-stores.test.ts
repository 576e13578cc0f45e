/** Opens the stores of every release with today's classes. */

import {evictDurableObject} from 'cloudflare:test';
import {exports} from 'cloudflare:workers';
import {expect, test, vi} from 'vitest';
import type {StoredObject} from '../../../worker/objects/stored-object.ts';
import {CLASSES} from '../support/durable-objects.ts';
import {freshWorker} from '../support/fresh-worker.ts';
import {logLines} from '../support/log-lines.ts';
import {dumpObject, loadObject, readObject, type RecordedStores, STORING_CLASSES} from '../support/released-stores.ts';

freshWorker();

const FILES = import.meta.glob<RecordedStores>('../../releases/*/stores.json', {eager: true, import: 'default'});
const releases = Object.entries(FILES).map(([file, stores]) => ({release: file.split('/').at(-2) ?? '', stores}));

test.for(releases)('what objects of $release stored is read by today’s classes', async ({stores}) => {
  vi.setSystemTime(stores.recordedAt);
  const {order, objects} = stores;
  expect([...new Set(objects.map(({className}) => className))]).toEqual(STORING_CLASSES);
  for (const [index, recorded] of objects.entries()) {
    const {className, answer} = recorded;
    const stub = exports[className].getByName(`released ${index}`) as DurableObjectStub;
    await loadObject(stub, recorded);
    await evictDurableObject(stub);
    expect({className, answer: await readObject(stub, className, order)}).toMatchObject({className, answer});
    // Every step has run.
    const {schemas} = CLASSES[className] as unknown as typeof StoredObject;
    for (const {store, version} of (await dumpObject(stub)).rows['_schema_migrations'] ?? [])
      expect([store, version]).toEqual([store, schemas.find(({name}) => name === store)?.steps.length]);
  }
  expect(logLines('store_upgrade_failed')).toEqual([]);
});
