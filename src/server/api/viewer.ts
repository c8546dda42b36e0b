import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject, stringAt } from '../../base/json/json.ts';

/**
 * The installed viewer of the API description: `openapi-explorer`. `swagger-ui-dist` and `@stoplight/elements` report
 * installations, `@scalar/api-reference` took 13 s to load our document, `redoc` sends no requests, and `rapidoc` has
 * 158 MB.
 */
export interface Viewer {
  readonly version: string;
  script(): Promise<string>;
}

/**
 * Finds the viewer beside Gantry or in a folder above. Searches at each call, so that a later installation needs no
 * restart. `find` returns the address of its `package.json`, or throws if there is none.
 */
export async function installedViewer(find = findPackage): Promise<Viewer | undefined> {
  try {
    const description = fileURLToPath(find());
    const facts: unknown = JSON.parse(await readFile(description, 'utf8'));
    const version = isObject(facts) ? stringAt(facts, 'version') : undefined;
    if (version === undefined) return undefined;
    const file = join(dirname(description), 'dist/browser/openapi-explorer.min.js');
    return { version, script: () => readFile(file, 'utf8') };
  } catch {
    return undefined;
  }
}

/** The name is a literal so that the build does not bundle it. */
function findPackage(): string {
  return import.meta.resolve('openapi-explorer/package.json');
}
