import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject, stringAt } from '../../../schema/json/json.ts';

/** The installed viewer of the API description. */
export interface Viewer {
  readonly version: string;
  /** The script that draws it. */
  script(): Promise<string>;
}

/**
 * The viewer where it is installed: beside Gantry, or in a folder above. Looked for at each call, so that it is found
 * without a new start. `find`: the address of its `package.json`; throws where there is none.
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

/** The name is written out: the build leaves it to the run. */
function findPackage(): string {
  return import.meta.resolve('openapi-explorer/package.json');
}
