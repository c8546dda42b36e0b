import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isObject, type JsonValue, objectAt, own } from '../../schema/json/json.ts';
import type { Surroundings } from './settings.ts';

/** The owner of what Terraform manages begins with it (`gantry/stack`). */
export const ownerPrefix = 'terraform.';

/**
 * The owner of what this configuration creates: `terraform.` and a hash of where its state is. Terraform names its state
 * to no provider, but `init` leaves the settings of the backend in the data folder; a state without a backend is a
 * file of the working folder. A record with this owner that the state lacks was made by an apply that did not end.
 */
export async function stateOwner({ environment, cwd }: Surroundings): Promise<string> {
  const data = resolve(cwd, environment['TF_DATA_DIR'] || '.terraform');
  const [backend, workspace] = await Promise.all([
    readText(join(data, 'terraform.tfstate')),
    readText(join(data, 'environment')),
  ]);
  const place = backendOf(backend) ?? cwd;
  const chosen = environment['TF_WORKSPACE'] || workspace?.trim() || 'default';
  return `${ownerPrefix}${createHash('sha256')
    .update(JSON.stringify([place, chosen]))
    .digest('hex')
    .slice(0, 12)}`;
}

/** What identifies the backend; undefined: there is none, or it is one of the working folder. */
function backendOf(text: string | undefined): JsonValue | undefined {
  if (text === undefined) return undefined;
  try {
    const file: JsonValue = JSON.parse(text);
    const backend = isObject(file) ? objectAt(file, 'backend') : {};
    const type = own(backend, 'type');
    return type === undefined || type === 'local' ? undefined : [type, own(backend, 'config') ?? null];
  } catch {
    return undefined;
  }
}

async function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}
