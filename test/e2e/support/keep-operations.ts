import type {Page} from 'playwright-core';

interface Operation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
}

interface Description {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly webhooks?: object;
  readonly components?: Readonly<Record<string, Record<string, unknown>>>;
}

/** Leaves out operations of the API descriptions that the page reads, because Swagger UI draws each of them slowly. */
export async function keepOperations(
  page: Page,
  isKept: (operation: Operation, path: string) => boolean,
): Promise<void> {
  await page.route('**/openapi.json', async (route) => {
    const response = await route.fetch();
    const {webhooks: _, ...description} = (await response.json()) as Description;
    for (const [path, operations] of Object.entries(description.paths)) {
      for (const [method, operation] of Object.entries(operations))
        if (!isKept(operation, path)) Reflect.deleteProperty(operations, method);
      if (Object.keys(operations).length === 0) Reflect.deleteProperty(description.paths, path);
    }
    dropUnused(description);
    await route.fulfill({response, json: description});
  });
}

/** Leaves out the components to which nothing else refers. */
function dropUnused({components = {}, ...rest}: Description): void {
  const used = new Set<string>();
  const find = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/([^"]+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      const [kind = '', key = ''] = name.split('/');
      find(components[kind]?.[key]);
    }
  };
  find(rest);
  for (const [kind, parts] of Object.entries(components))
    for (const key of Object.keys(parts))
      if (kind !== 'securitySchemes' && !used.has(`${kind}/${key}`)) Reflect.deleteProperty(parts, key);
}
