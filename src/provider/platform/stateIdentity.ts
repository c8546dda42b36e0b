import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isObject, type JsonObject, type JsonValue, objectAt, stringAt } from '../../base/json/json.ts';
import { stateOwnerPrefix } from '../../manifest/model/ownTags.ts';
import { backendIdentity } from './backendIdentity.ts';
import type { Surroundings } from './settings.ts';

/**
 * The owner of what this configuration creates: `terraform.` and a hash of where its state is, which
 * does not change with credentials. Terraform names its state to no provider, but `init` leaves the settings of the
 * backend in the data folder; a state without a backend is a file of the working folder, and one in a folder that the
 * backend names is there. A record with this owner that the state lacks was made by an apply that did not end.
 */
export async function stateOwner({ environment, cwd }: Surroundings): Promise<string> {
  const data = resolve(cwd, environment['TF_DATA_DIR'] || '.terraform');
  const [backend, workspace] = await Promise.all([
    readText(join(data, 'terraform.tfstate')),
    readText(join(data, 'environment')),
  ]);
  const chosen = environment['TF_WORKSPACE'] || workspace?.trim() || 'default';
  const place = placeOf(backend, { environment, cwd }, chosen);
  return `${stateOwnerPrefix}${createHash('sha256')
    .update(JSON.stringify([place, chosen]))
    .digest('hex')
    .slice(0, 12)}`;
}

/** What identifies the place of the state: what its backend is told of it, or a file or folder. */
function placeOf(settings: string | undefined, { environment, cwd }: Surroundings, workspace: string): JsonValue {
  const backend = objectAt(parsed(settings), 'backend');
  const [type, config] = [stringAt(backend, 'type'), objectAt(backend, 'config')];
  if (type !== undefined && type !== 'local') return backendIdentity(type, config, environment);
  const named = stringAt(config, workspace === 'default' ? 'path' : 'workspace_dir');
  return named === undefined ? cwd : resolve(cwd, named);
}

function parsed(text: string | undefined): JsonObject {
  if (text === undefined) return {};
  try {
    const file: JsonValue = JSON.parse(text);
    return isObject(file) ? file : {};
  } catch {
    return {};
  }
}

async function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}
