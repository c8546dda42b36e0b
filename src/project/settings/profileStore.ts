import { appendFile, lstat, readdir, readFile, rm, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { isObject, type JsonObject, own, stringAt } from '../../base/json/json.ts';
import { jsonIn } from '../../base/json/jsonText.ts';
import { suggest } from '../../base/text/suggest.ts';
import { available } from '../../base/text/suggestion.ts';
import { ToolError } from '../../base/toolError.ts';
import { whenMissing } from '../files/exists.ts';
import { systemReason } from '../files/fileRefusal.ts';
import { readBytes } from '../files/readBytes.ts';
import { fileSizes } from '../files/sizes.ts';
import { makeFolders, writeWhole } from '../files/writeWhole.ts';
import type { Environment } from '../session/session.ts';
import { type NamedProfile, type Profile, profileTextKeys } from './profile.ts';

const suffix = '.json';
/** Next to the profiles: addresses from the `gantry.yaml` of projects, one per line. */
const endpointsFile = 'endpoints';
const endpointsOfProcess = new Set<string>();
const nameGrammar = /^[A-Za-z0-9][\w.-]{0,63}$/;

/**
 * The folder of profiles: GANTRY_HOME, else `gantry` in XDG_CONFIG_HOME, APPDATA or `~/.config`. Packages like
 * `env-paths` read the environment of the process at load time, and use another folder on macOS than the platform's own
 * client (platform/clients.profiles). Undefined if this user has no home.
 */
function profileFolder(environment: Environment): string | undefined {
  const folder = (name: string) => {
    const path = environment[name];
    return path !== undefined && isAbsolute(path) ? path : undefined;
  };
  const own = folder('GANTRY_HOME');
  if (own !== undefined) return join(own, 'profiles');
  const home = folder('HOME') ?? folder('USERPROFILE');
  const base =
    folder('XDG_CONFIG_HOME') ?? folder('APPDATA') ?? (home === undefined ? undefined : join(home, '.config'));
  return base === undefined ? undefined : join(base, 'gantry', 'profiles');
}

/** The profiles of this user: one file each, readable only by the owner, and one with the name of the default. */
export class ProfileStore {
  readonly #folder: string | undefined;

  constructor(environment: Environment) {
    this.#folder = profileFolder(environment);
  }

  /** Sorted by name. Errors: `settings.profile`. */
  async names(): Promise<readonly string[]> {
    const folder = this.#folder;
    if (folder === undefined) return [];
    const files = await readdir(folder).catch(whenMissing([])).catch(throwUnusable(folder));
    return files
      .filter((file) => file.endsWith(suffix))
      .map((file) => file.slice(0, -suffix.length))
      .sort();
  }

  /** Errors: `settings.profile`. */
  async read(name: string): Promise<Profile> {
    const path = this.#pathOf(name);
    const bytes = await readBytes(path, { most: fileSizes.settings })
      .catch(whenMissing(undefined))
      .catch((error: unknown) => {
        throw unreadableProfile(path, systemReason(error));
      });
    if (bytes === undefined) throw missingProfile(name, await this.names());
    return parseProfile(bytes.toString('utf8'), path);
  }

  /** The file of a profile if other users can read it; otherwise undefined. */
  async readableByOthers(name: string): Promise<string | undefined> {
    if (process.platform === 'win32') return undefined; // access lists decide there
    const path = this.#pathOf(name);
    const found = await stat(path).catch(whenMissing(undefined));
    return found !== undefined && (found.mode & 0o077) !== 0 ? path : undefined;
  }

  /** Atomic. Errors: `settings.profile`. */
  write(name: string, profile: Profile): Promise<void> {
    return this.#save(this.#pathOf(name), `${JSON.stringify(profile, null, 2)}\n`);
  }

  /** Also removes an unreadable profile. Errors: `settings.profile`. */
  async remove(name: string): Promise<void> {
    const path = this.#pathOf(name);
    const found = await lstat(path).catch(whenMissing(undefined)).catch(throwUnusable(path));
    if (found === undefined) throw missingProfile(name, await this.names());
    await rm(path).catch((error: unknown) => {
      throw unreadableProfile(path, systemReason(error));
    });
    if ((await this.default()) === name) await rm(this.#defaultPath(), { force: true });
  }

  /** The name of the default profile if it exists, else of the only profile. Errors: `settings.profile`. */
  async default(): Promise<string | undefined> {
    if (this.#folder === undefined) return undefined;
    const path = this.#defaultPath();
    const name = await readFile(path, 'utf8').catch(whenMissing(undefined)).catch(throwUnusable(path));
    const names = await this.names();
    if (name !== undefined && names.includes(name.trim())) return name.trim();
    return names.length === 1 ? names[0] : undefined;
  }

  /** Errors: `settings.profile`. */
  async setDefault(name: string): Promise<void> {
    await this.read(name);
    await this.#save(this.#defaultPath(), `${name}\n`);
  }

  /** The addresses that this user knows: from profiles, and from earlier notices. */
  async endpoints(): Promise<readonly string[]> {
    if (this.#folder === undefined) return [...endpointsOfProcess];
    const names = await this.names();
    const profiles = await Promise.all(names.map((name) => this.read(name).catch((): Profile => ({}))));
    const lines = await readFile(join(this.#folder, endpointsFile), 'utf8').catch(() => '');
    return [...endpointsOfProcess, ...lines.split('\n'), ...profiles.flatMap(({ endpoint }) => endpoint ?? [])];
  }

  /** If they cannot be written, only this process knows them. */
  async addEndpoints(addresses: readonly string[]): Promise<void> {
    try {
      makeFolders(this.#requireFolder());
      // Appends only, because another process may do so concurrently.
      await appendFile(join(this.#requireFolder(), endpointsFile), `${addresses.join('\n')}\n`, { mode: 0o600 });
    } catch {
      for (const address of addresses) endpointsOfProcess.add(address);
    }
  }

  #defaultPath(): string {
    return join(this.#requireFolder(), 'default');
  }

  #pathOf(name: string): string {
    if (nameGrammar.test(name)) return join(this.#requireFolder(), `${name}${suffix}`);
    throw new ToolError({
      code: 'settings.profile',
      message: `${JSON.stringify(name)} cannot be the name of a profile`,
      hint: 'Use at most 64 letters, digits, dots, hyphens and underscores; begin with a letter or digit.',
    });
  }

  #requireFolder(): string {
    if (this.#folder !== undefined) return this.#folder;
    throw new ToolError({
      code: 'settings.profile',
      message: 'there is no folder for profiles: neither HOME nor XDG_CONFIG_HOME is set',
      hint: 'Set GANTRY_HOME to a folder of yours.',
    });
  }

  async #save(path: string, text: string): Promise<void> {
    const folder = this.#requireFolder();
    try {
      makeFolders(folder);
      writeWhole(path, text, 0o600);
    } catch (error) {
      throwUnusable(folder)(error);
    }
  }
}

/** For `catch`: as where the home is that of another user. */
function throwUnusable(path: string): (error: unknown) => never {
  return (error) => {
    throw new ToolError({
      code: 'settings.profile',
      message: `${path} cannot be used: ${systemReason(error)}`,
      hint: 'Correct its permissions, or set GANTRY_HOME to a folder of yours.',
      place: { file: path },
    });
  };
}

/**
 * The profile of a session: the user's choice, else the one that the chosen environment of `gantry.yaml` names, else
 * the default, or the only one. Errors: `settings.profile`.
 */
export async function chosenProfile(
  requested: string | undefined,
  environment: Environment,
  ofEnvironment: string | undefined,
): Promise<NamedProfile | undefined> {
  const store = new ProfileStore(environment);
  const name = requested ?? ofEnvironment ?? (await store.default());
  if (name === undefined) return undefined;
  const namedBy = requested !== undefined ? 'user' : ofEnvironment !== undefined ? 'environment' : 'nobody';
  return { name, profile: await store.read(name), namedBy };
}

function parseProfile(text: string, path: string): Profile {
  const value = jsonIn(text);
  if (!isObject(value)) throw unreadableProfile(path, 'it is not a JSON object');
  const known: readonly string[] = [...profileTextKeys, 'insecure'];
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) throw unreadableProfile(path, `it has a member that is none of ${known.join(', ')}`);
  const wrong = profileTextKeys.find((key) => own(value, key) !== undefined && stringAt(value, key) === undefined);
  if (wrong !== undefined) throw unreadableProfile(path, `${wrong} must be a text`);
  const insecure = own(value, 'insecure');
  if (insecure !== undefined && typeof insecure !== 'boolean')
    throw unreadableProfile(path, 'insecure must be true or false');
  const texts = Object.fromEntries(profileTextKeys.flatMap((key) => textMember(value, key)));
  return { ...texts, ...(insecure === true ? { insecure } : {}) };
}

function textMember(value: JsonObject, key: string): readonly (readonly [string, string])[] {
  const text = stringAt(value, key);
  return text === undefined || text === '' ? [] : [[key, text]];
}

function unreadableProfile(path: string, why: string): ToolError {
  return new ToolError({
    code: 'settings.profile',
    message: `${path}: ${why}`,
    hint: 'Delete it with gantry profile delete NAME, and make it again with gantry profile create NAME.',
    place: { file: path },
  });
}

function missingProfile(name: string, names: readonly string[]): ToolError {
  const meant = suggest(name, names);
  const known = names.length === 0 ? 'There is none yet.' : available(names);
  return new ToolError({
    code: 'settings.profile',
    message: `there is no profile ${JSON.stringify(name)}`,
    hint: meant === undefined ? `${known} Make one: gantry profile create ${name}.` : `Did you mean ${meant}?`,
  });
}
