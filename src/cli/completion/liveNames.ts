import {
  fieldIn,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  own,
  stringAt,
} from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { Api } from '../../commands/call/api.ts';
import { homeOf, orgHomeOf, pathOf } from '../../commands/call/paths.ts';
import { nameOf } from '../../commands/call/records.ts';
import { refOf } from '../../commands/call/refs.ts';
import { permissions } from '../../kinds/kindFacts.ts';
import { ownTagPrefix } from '../../manifest/model/ownTags.ts';
import { openPlatform } from '../../project/platform/platform.ts';
import type { Environment, Session } from '../../project/session/session.ts';
import { ProfileStore } from '../../project/settings/profileStore.ts';
import { openProject } from '../../project/settings/project.ts';
import { readSettingsFile } from '../../project/settings/settingsFile.ts';
import { newAddresses } from '../../project/settings/tokenTarget.ts';
import { isGvcScoped, kindNamed } from '../../schema/record/kinds.ts';
import type { Connection } from './complete.ts';

const mostNames = 500;
/** The user is waiting at the keyboard. */
const defaultTimeoutMs = 2_000;

interface Surroundings {
  readonly environment: Environment;
  readonly cwd: string;
}

/**
 * The names of a source; undefined if they cannot be read in time. A source is `profile`, `environments` or `stacks` of
 * `gantry.yaml`, a kind, or a part of one record: `gvc tags`, `serviceaccount keys`, `policy permissions`, or the names
 * at a path, `workload name spec.containers`, `workload key tags`.
 */
export function liveNames(
  source: string,
  connection: Connection,
  surroundings: Surroundings,
  timeoutMs = defaultTimeoutMs,
): Promise<readonly string[] | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, timeoutMs, undefined).unref());
  return Promise.race([readNames(source, connection, surroundings).catch(() => undefined), late]);
}

/** The same without a time limit. Throws if they cannot be read. */
export async function readNames(
  source: string,
  connection: Connection,
  { environment, cwd }: Surroundings,
): Promise<readonly string[] | undefined> {
  if (source === 'profile') return new ProfileStore(environment).names();
  if (source === 'environments' || source === 'stacks') return declaredNames(source, cwd);
  const [kind = '', part, path = ''] = source.split(' ');
  const knownKind = kindNamed(kind);
  if (knownKind === undefined) return undefined;
  const { 'token-file': tokenFile, record, ...connectionOptions } = connection;
  if (part !== undefined && record === undefined) return part === 'permissions' ? permissionsOn(undefined) : [];
  const session: Session = {
    options: {
      ...connectionOptions,
      ...present({ tokenFile }),
      embedded: false,
    },
    environment,
    cwd,
    stdin: (async function* () {})(),
    now: () => performance.now(),
    tell: () => {},
  };
  const { settings, profile } = await openProject(session, []);
  // The user would not see the notice of a new address: a key press in a folder of others must not send a token.
  if (
    settings.tokenTarget !== undefined &&
    (await newAddresses(settings.tokenTarget.endpoint, environment)).length > 0
  ) {
    return [];
  }
  const platform = await openPlatform(session, settings);
  try {
    platform.client.stopRetrying();
    const api = new Api(platform, settings.gvc ?? profile?.profile.gvc);
    if (record !== undefined)
      return membersOf(await api.get(pathOf(api, refOf(api, record, { kinds: [knownKind] }))), part, path);
    const isOrgWide = isGvcScoped(knownKind) && api.gvc === undefined;
    const home = isOrgWide ? orgHomeOf(api, knownKind) : homeOf(api, knownKind);
    const { items } = await api.list(`${home}?limit=${mostNames}`, mostNames);
    return items.flatMap((item) => nameOf(item) ?? []);
  } finally {
    await platform.close();
  }
}

/** The environments or stacks in the `gantry.yaml` of this folder. */
async function declaredNames(what: 'environments' | 'stacks', cwd: string): Promise<readonly string[]> {
  const { environments = new Map(), stack } = await readSettingsFile(cwd);
  if (what === 'environments') return [...environments.keys()];
  const all = [stack, ...[...environments.values()].map((each) => each.stack)];
  return [...new Set(all.filter((name) => name !== undefined))];
}

/** The names in a record: of its tags, its keys, or the items at a path. */
function membersOf(record: JsonObject, part: string | undefined, path: string): readonly string[] {
  if (part === 'tags') return Object.keys(objectAt(record, 'tags')).filter((key) => !key.startsWith(ownTagPrefix));
  if (part === 'keys')
    return listAt(record, 'keys').flatMap((key) => (isObject(key) ? (stringAt(key, 'name') ?? []) : []));
  if (part === 'permissions') return permissionsOn(stringAt(record, 'targetKind'));
  let found: JsonValue | undefined = record;
  for (const step of path.split('.')) found = memberOf(found, step);
  if (isObject(found)) return Object.keys(found);
  return isArray(found) ? found.flatMap((item) => keyTexts(item, part ?? '')) : [];
}

/** The permissions that a policy on this kind can grant; all permissions for an unknown kind. */
function permissionsOn(targetKind: string | undefined): readonly string[] {
  const known = targetKind === undefined ? undefined : permissions.get(targetKind);
  return [...(known ?? new Set([...permissions.values()].flatMap((each) => [...each])))].sort();
}

/** The member with this name; in a list, the item that has the step as its name, number or another value. */
function memberOf(value: JsonValue | undefined, step: string): JsonValue | undefined {
  if (isObject(value)) return own(value, step);
  return isArray(value) ? value.find((item) => isObject(item) && Object.values(item).includes(step)) : undefined;
}

function keyTexts(item: JsonValue, field: string): readonly string[] {
  const key = fieldIn(item, field);
  return typeof key === 'string' || typeof key === 'number' ? [String(key)] : [];
}
