import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fieldIn, isObject, type JsonObject, type JsonValue, objectAt, own, stringAt } from '../../base/json/json.ts';
import { jsonIn } from '../../base/json/jsonText.ts';
import { compact } from '../../base/json/present.ts';
import { stateOwnerPrefix } from '../../manifest/model/ownTags.ts';
import type { Surroundings } from './settings.ts';

/**
 * The owner of the records that this configuration creates: `terraform.` and a hash of the location of its state, which
 * does not change with credentials. Terraform names its state to no provider, but `init` leaves the settings of the
 * backend in the data folder. A state without a backend is a file of the working folder, or in a folder that the
 * backend names. A record with this owner that is not in the state was created by an apply that did not end.
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

/** The location of the state: the settings of its backend, or a file or folder. */
function placeOf(settings: string | undefined, { environment, cwd }: Surroundings, workspace: string): JsonValue {
  const backend = objectAt(parsed(settings), 'backend');
  const [type, config] = [stringAt(backend, 'type'), objectAt(backend, 'config')];
  if (type !== undefined && type !== 'local') return backendIdentity(type, config, environment);
  const named = stringAt(config, workspace === 'default' ? 'path' : 'workspace_dir');
  return named === undefined ? cwd : resolve(cwd, named);
}

function parsed(text: string | undefined): JsonObject {
  const file = text && jsonIn(text);
  return isObject(file) ? file : {};
}

async function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * For each backend of Terraform and OpenTofu the settings that identify the state, by path. The connection and
 * credentials are excluded: credentials are rotated, and several people share one state.
 */
const identifying: ReadonlyMap<string, readonly string[]> = new Map([
  ['azurerm', ['environment', 'storage_account_name', 'container_name', 'key']],
  ['cloud', ['hostname', 'organization', 'workspaces']],
  ['consul', ['address', 'datacenter', 'path']],
  ['cos', ['endpoint', 'domain', 'region', 'bucket', 'prefix', 'key']],
  ['gcs', ['storage_custom_endpoint', 'bucket', 'prefix']],
  ['http', ['address']],
  ['kubernetes', ['host', 'config_context', 'config_context_cluster', 'namespace', 'secret_suffix', 'labels']],
  ['oss', ['endpoint', 'region', 'bucket', 'prefix', 'key']],
  ['pg', ['conn_str', 'schema_name']],
  ['remote', ['hostname', 'organization', 'workspaces']],
  ['s3', ['endpoint', 'endpoints.s3', 'bucket', 'workspace_key_prefix', 'key']],
]);

/** The variables for such settings that a backend's block omits. */
const variables: Readonly<Record<string, string>> = {
  'consul.address': 'CONSUL_HTTP_ADDR',
  'http.address': 'TF_HTTP_ADDRESS',
  'pg.conn_str': 'PG_CONN_STR',
  'pg.schema_name': 'PG_SCHEMA_NAME',
};

/** For backends that are not in the list: settings with such names are excluded. */
const secret = /secret|token|passw|passphrase|credential|access_key|private_key|client_|cert|user|profile|(^|_)role/i;

/** The identity of the state in a remote backend, without credentials. Null settings are ignored. */
export function backendIdentity(type: string, config: JsonObject, environment: Environment): JsonValue {
  const paths = identifying.get(type) ?? Object.keys(config).filter((name) => !secret.test(name));
  const said = compact(paths.toSorted(), (path): readonly [string, JsonValue] | undefined => {
    const value = settingAt(config, path) ?? environment[variables[`${type}.${path}`] ?? ''] ?? null;
    return value === null || value === '' ? undefined : [path, withoutSecrets(value)];
  });
  return [type, said];
}

function settingAt(config: JsonObject, path: string): JsonValue | undefined {
  return path.split('.').reduce<JsonValue | undefined>((at, name) => fieldIn(at, name), config);
}

function withoutSecrets(value: JsonValue): JsonValue {
  if (typeof value === 'string') return URL.canParse(value) ? ofAddress(new URL(value)) : ofWords(value);
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  const names = Object.keys(value).filter((name) => !secret.test(name) && own(value, name) !== null);
  return Object.fromEntries(names.toSorted().map((name) => [name, withoutSecrets(own(value, name) ?? null)]));
}

/** `https://ci:token@host/state?token=…`: the address without credentials. */
function ofAddress(address: URL): string {
  address.username = '';
  address.password = '';
  for (const name of [...address.searchParams.keys()]) if (secret.test(name)) address.searchParams.delete(name);
  return address.href;
}

/** `host=db user=ci password=…`, the other form of a connection to PostgreSQL. */
function ofWords(text: string): string {
  return text
    .replaceAll(/(\w+)\s*=\s*('(?:[^'\\]|\\.)*'|\S+)\s*/g, (word, name: string) => (secret.test(name) ? '' : word))
    .trim();
}
