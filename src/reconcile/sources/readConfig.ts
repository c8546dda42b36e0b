import { basename, dirname, join, posix, resolve } from 'node:path';
import { pathOf, type Reader } from '../../base/form/read.ts';
import { isObject } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { present } from '../../base/json/present.ts';
import { meantOrAvailable } from '../../base/text/suggestion.ts';
import { orderSteps } from '../../plan/order/orderChanges.ts';
import { readDataFile } from '../../project/files/dataFile.ts';
import { settingsFileName } from '../../project/files/projectFiles.ts';
import { fileSizes } from '../../project/files/sizes.ts';
import { SearchBudget, searchBounds } from '../../project/inputs/bounds.ts';
import { matches } from '../../project/inputs/findInput.ts';
import { readSettings, SettingsError, type SettingsErrorWords } from '../../project/settings/setting.ts';
import { unreadableSettings } from '../../project/settings/settingsFile.ts';
import {
  type CredentialReference,
  type GitSource,
  type NotifyTarget,
  type ReadConfig,
  type SecretReference,
  type StackEntry,
  type StackEvent,
  type StackSource,
  type StatusSettings,
  stackEvents,
} from '../model.ts';
import { type FollowBounds, loosened } from './configForms.ts';
import { isBelow } from './gitAddress.ts';
import type { Checkout } from './gitRepositories.ts';
import {
  followedForm,
  isStackName,
  reconcileForm,
  type WrittenGit,
  type WrittenList,
  type WrittenPattern,
  type WrittenRepository,
} from './reconcileForm.ts';

export const reconcileFileName = 'reconcile.yaml';

const defaultOptions = { mode: 'detect', intervalMs: 600_000 } as const;
/** Share of the interval, so that stacks that begin together drift apart. */
const jitterShare = 0.1;

const errorWords: SettingsErrorWords = {
  code: 'reconcile.file',
  hint: 'Correct it; gantry schema reconcile prints what it may hold.',
};

/** Fetches the files of a source's present commit. */
export type FetchCommit = (source: GitSource, signal: AbortSignal) => Promise<Checkout>;

/**
 * Reads `reconcile.yaml` on each call: the file, the followed one in its repository, and the folders that its patterns
 * find. Errors: `reconcile.file`, and those of repositories: callers then continue with the last result.
 */
export function configReader(file: string, cwd: string, fetchCommit: FetchCommit): ReadConfig {
  const path = resolve(cwd, file);
  return async (signal) => {
    const own = await readFile(path, file, reconcileForm);
    const { repositories = [], name, follow, webhooks = {}, 'sign-in': written, ...rest } = own.written;
    const url = rest.url ?? written?.url;
    const signIn = written && { ...written, ...present({ url: written.url ?? url }) };
    const fetch = (source: GitSource) => fetchCommit(source, signal);
    const followed = follow === undefined ? undefined : sourceOf(follow.git, repositories);
    if (follow !== undefined && (rest.stacks ?? rest.patterns) !== undefined) {
      throw own.errorAt(
        ['follow'],
        'cannot be combined with stacks or patterns: these belong into the file that is followed',
      );
    }
    if ((follow ?? rest.stacks ?? rest.patterns) === undefined)
      throw own.errorAt([], 'needs stacks, patterns or follow');
    const { github = [], gitlab = [], standard = [] } = webhooks;
    const inside = follow?.file ?? reconcileFileName;
    const notify = [...(rest.notify ?? [])].map(
      ([name, { events = everyEvent, ...target }]): NotifyTarget => ({ name, events, ...target }),
    );
    const targets = notify.map(({ name }) => name);
    return {
      origin:
        name ??
        (followed === undefined
          ? path
          : `${followed.repository} ${followed.ref} ${posix.join(followed.path ?? '', inside)}`),
      ...present({ base: name === undefined ? undefined : dirname(path) }),
      stacks:
        followed === undefined
          ? await entriesOf(own, { folder: dirname(path), repositories, targets }, fetch)
          : await followedEntries(followed, { inside, repositories, targets, bounds: follow }, fetch),
      webhooks: { github, gitlab, standard },
      notify,
      secretVariables: variablesOf([
        ...[...github, ...gitlab, ...standard, ...repositories.flatMap(tokensOf)],
        ...[...(rest.notify?.values() ?? [])].flatMap(({ to, secret }) => (secret === undefined ? [to] : [to, secret])),
        ...[signIn?.clientSecret].filter((secret) => secret !== undefined),
      ]),
      ...present({
        requestsPerSecond: rest['requests-per-second'],
        keepRunsMs: rest['keep-runs'],
        orgs: follow?.orgs,
        followed,
        signIn,
        url,
      }),
    };
  };
}

function tokensOf({ credential, statuses }: WrittenRepository): readonly SecretReference[] {
  const own = credential !== undefined && 'token' in credential ? [credential.token] : [];
  return statuses === undefined ? own : [...own, statuses.token];
}

function variablesOf(references: readonly SecretReference[]): readonly string[] {
  return [...new Set(references.flatMap((each) => ('env' in each ? [each.env] : [])))].sort();
}

const everyEvent = Object.keys(stackEvents) as readonly StackEvent[];

type Fetch = (source: GitSource) => Promise<Checkout>;

interface ReadFile<T> {
  /** The displayed name. */
  readonly name: string;
  readonly written: T;
  /** An error at a position in it. */
  errorAt(pointer: Pointer, message: string): SettingsError;
}

async function readFile<T>(path: string, shown: string, form: Reader<T>): Promise<ReadFile<T>> {
  const { value, ...places } = await readDataFile(path, { most: fileSizes.configuration }).catch((error: unknown) => {
    throw unreadableSettings(shown, error, errorWords);
  });
  const source = { file: shown, folder: dirname(path), ...places };
  return {
    name: shown,
    written: readSettings(form, isObject(value) ? value : null, source, errorWords),
    errorAt(pointer, message) {
      const { line, column } = places.locate?.(pointer) ?? {};
      const place = { file: shown, ...present({ line, column }) };
      return new SettingsError([{ message: [pathOf(pointer), message].join(' ').trim(), place }], errorWords);
    },
  };
}

/** The base of a file's relative paths. */
interface Origin {
  /** Absolute. */
  readonly folder: string;
  readonly repositories: readonly WrittenRepository[];
  /** The names of possible targets of notifications. */
  readonly targets: readonly string[];
  /** Set if the file is in this repository, and `folder` in a checkout of it. */
  readonly followed?: { readonly source: GitSource; readonly inside: string };
  /** The limits of its stacks. */
  readonly bounds?: FollowBounds | undefined;
}

async function followedEntries(
  source: GitSource,
  { inside, ...ofWorker }: Pick<Origin, 'repositories' | 'targets' | 'bounds'> & { readonly inside: string },
  fetch: Fetch,
): Promise<readonly StackEntry[]> {
  await using checkout = await fetch(source);
  const file = posix.join(source.path ?? '', inside);
  const read = await readFile(join(checkout.folder, file), `${source.url}: ${file}`, followedForm);
  const folder = posix.dirname(file);
  return entriesOf(
    read,
    { folder: join(checkout.folder, folder), ...ofWorker, followed: { source, inside: folder } },
    fetch,
  );
}

/** The stacks of a file, sorted by name: the named ones, and others found by patterns. */
async function entriesOf(file: ReadFile<WrittenList>, origin: Origin, fetch: Fetch): Promise<readonly StackEntry[]> {
  const { stacks = new Map(), patterns = [], defaults = {} } = file.written;
  checkTargets(file, origin);
  const entries = new Map<string, StackEntry>();
  const places = new Map<string, Pointer>();
  const names = new Map<string, string>();
  for (const [name, { folder, git, ...options }] of stacks) {
    const source = placeOf({ folder, git }, origin, () => file.errorAt(['stacks', name], outsideMessage));
    const entry = entryOf(
      name,
      source,
      { ...defaults, ...options },
      `${file.name}: ${pathOf(['stacks', name, 'paused'])}`,
    );
    const listedAs = names.get(identityOf(entry));
    if (listedAs !== undefined) throw file.errorAt(['stacks', name], `is the same stack as ${listedAs}: list it once`);
    names.set(identityOf(entry), name);
    if (git !== undefined) requireRemote(git, origin, () => file.errorAt(['stacks', name, 'git', 'url'], localMessage));
    entries.set(name, entry);
    places.set(name, ['stacks', name]);
  }
  const named = new Set([...entries.values()].map(placeName));
  for (const [index, pattern] of patterns.entries()) {
    const at = ['patterns', index];
    if (pattern.git !== undefined)
      requireRemote(pattern.git, origin, () => file.errorAt([...at, 'git', 'url'], localMessage));
    for (const { path, source } of await findStacks(pattern, origin, fetch, () => file.errorAt(at, outsideMessage))) {
      const { folder: _, git: _git, ...options } = pattern;
      const name = `${path.replaceAll('/', '-')}${options.env === undefined ? '' : `@${options.env}`}`;
      const entry = entryOf(name, source, { ...defaults, ...options }, `${file.name}: ${pathOf([...at, 'paused'])}`);
      if (named.has(placeName(entry))) continue; // listed by name, with its own options
      if (!isStackName(name)) throw file.errorAt(at, `finds ${path}, which cannot be the name of a stack`);
      if (entries.has(name)) throw file.errorAt(at, `finds a second stack with the name ${name}`);
      entries.set(name, entry);
      places.set(name, at);
    }
  }
  checkOrder([...entries.values()], (name, more, message) =>
    file.errorAt([...(places.get(name) ?? []), 'after', ...more], message),
  );
  const { bounds = {} } = origin;
  for (const { name, mode, permits = {} } of entries.values()) {
    const at = places.get(name) ?? [];
    if (bounds.modes?.includes(mode) === false)
      throw file.errorAt([...at, 'mode'], `must be one of ${bounds.modes.join(', ')}: ${limitOfWorker('modes')}`);
    const loose = origin.followed === undefined ? undefined : loosened(permits, bounds.permits ?? []);
    if (loose !== undefined)
      throw file.errorAt([...at, 'permits', loose], `is not allowed: ${limitOfWorker('permits')}`);
  }
  return [...entries.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Checks that all used targets exist. */
function checkTargets({ written, errorAt }: ReadFile<WrittenList>, { targets }: Origin): void {
  const { defaults = {}, stacks = new Map(), patterns = [] } = written;
  const places: readonly (readonly [Pointer, readonly string[] | undefined])[] = [
    [['defaults'], defaults.notify],
    ...[...stacks].map(([name, { notify }]) => [['stacks', name], notify] as const),
    ...patterns.map(({ notify }, index) => [['patterns', index], notify] as const),
  ];
  for (const [at, names = []] of places) {
    const index = names.findIndex((name) => !targets.includes(name));
    const name = names[index];
    if (name === undefined) continue;
    throw errorAt(
      [...at, 'notify', index],
      `names a target that is not in notify: ${name}. ${meantOrAvailable(name, targets)}`,
    );
  }
}

function limitOfWorker(name: keyof FollowBounds): string {
  return `follow.${name} says so in the file that the worker is started with`;
}

const outsideMessage = 'leads out of the repository';
const localMessage = 'must be of https or ssh: a file in a repository names no folder of this machine';

interface Place {
  readonly folder?: string | undefined;
  readonly git?: WrittenGit | undefined;
}

function placeOf(
  { folder = '.', git }: Place,
  { folder: base, repositories, followed }: Origin,
  errorAt: () => Error,
): StackSource {
  if (git !== undefined) return sourceOf(git, repositories);
  if (followed === undefined) return { kind: 'folder', path: resolve(base, folder) };
  const path = posix.normalize(posix.join(followed.inside, folder)).replace(/\/+$/, '');
  if (folder.startsWith('/') || path === '..' || path.startsWith('../')) throw errorAt();
  return withPath(followed.source, path);
}

function requireRemote({ url }: WrittenGit, { followed }: Origin, errorAt: () => Error): void {
  if (followed !== undefined && url.protocol === 'file') throw errorAt();
}

/** The repository, with the worker's options for it. */
function sourceOf(
  { url: { url, repository, user }, ref, path }: WrittenGit,
  repositories: readonly WrittenRepository[],
): GitSource {
  const [repositoryOptions] = repositories
    .filter(({ prefix }) => isBelow(repository, prefix))
    .toSorted((a, b) => b.prefix.length - a.prefix.length);
  const source = {
    kind: 'git',
    url,
    repository,
    ref,
    ...present({
      ...{
        credential: forUser(repositoryOptions?.credential, user),
        signers: repositoryOptions?.signers,
        variables: repositoryOptions?.variables,
      },
      statuses: repositoryOptions?.statuses && statusesOf(repositoryOptions.statuses, repository),
    }),
  } as const;
  return withPath(source, path ?? '');
}

/** Only a helper needs the user of the address: a token has its own. */
function forUser(
  credential: CredentialReference | undefined,
  user: string | undefined,
): CredentialReference | undefined {
  return credential !== undefined && 'helper' in credential ? { ...credential, ...present({ user }) } : credential;
}

/** The token is only sent to the repository's forge, or to the API that the worker names. */
function statusesOf(
  { forge, token, api }: NonNullable<WrittenRepository['statuses']>,
  repository: string,
): StatusSettings {
  const [host = ''] = repository.split('/');
  const own = forge === 'gitlab' ? `${host}/api/v4` : host === 'github.com' ? 'api.github.com' : `${host}/api/v3`;
  return { forge, token, api: (api?.href ?? `https://${own}`).replace(/\/+$/, '') };
}

function withPath({ path: _, ...source }: GitSource, path: string): GitSource {
  return path === '' || path === '.' ? source : { ...source, path };
}

type Options = Omit<WrittenPattern, 'folder' | 'git'> & { readonly after?: readonly string[]; readonly stack?: string };

/** `pausedAt`: the position of the pause. */
function entryOf(name: string, source: StackSource, options: Options, pausedAt: string): StackEntry {
  const {
    mode = defaultOptions.mode,
    interval = defaultOptions.intervalMs,
    jitter = Math.round(interval * jitterShare),
  } = options;
  const { after = [], paused, env, stack, gvc, org, endpoint, permits, notify } = options;
  const pause =
    paused === undefined ? undefined : { reason: paused.reason, at: pausedAt, ...present({ untilMs: paused.until }) };
  return {
    name,
    source,
    mode,
    intervalMs: interval,
    jitterMs: jitter,
    after: [...new Set(after)],
    ...present({ windows: options.window, paused: pause, env, stack, gvc, org, endpoint, permits, notify }),
    ...present({ tokenFile: options['token-file'] }),
  };
}

/**
 * Equal for entries of the same stack, which are not permitted: they would write concurrently, and one with `auto`
 * would apply what the other proposes.
 */
function identityOf(entry: StackEntry): string {
  const { stack, gvc, org, endpoint } = entry;
  return JSON.stringify([placeName(entry), stack, gvc, org, endpoint]);
}

/** The place of an entry's code; patterns skip it. */
function placeName({ source, env = '' }: StackEntry): string {
  const place = source.kind === 'folder' ? source.path : `${source.repository} ${source.ref} ${source.path ?? ''}`;
  return `${place} ${env}`;
}

interface FoundFolder {
  /** Relative to the pattern's start. */
  readonly path: string;
  readonly source: StackSource;
}

async function findStacks(
  pattern: WrittenPattern,
  origin: Origin,
  fetch: Fetch,
  errorAt: () => Error,
): Promise<readonly FoundFolder[]> {
  const { folder, git } = pattern;
  if (git === undefined) {
    placeOf({ folder }, origin, errorAt); // a pattern of a followed file must stay inside
    const paths = await foldersOf(origin.folder, folder ?? '*');
    return paths.map((path) => ({ path, source: placeOf({ folder: path }, origin, errorAt) }));
  }
  const source = sourceOf(git, origin.repositories);
  await using checkout = await fetch(source);
  const paths = await foldersOf(checkout.folder, source.path ?? '*');
  return paths.map((path) => ({ path, source: withPath(source, path) }));
}

/** The folders with `gantry.yaml`, sorted. */
async function foldersOf(base: string, pattern: string): Promise<readonly string[]> {
  const budget = new SearchBudget(searchBounds, () => performance.now());
  const paths: string[] = [];
  for await (const match of matches(`${pattern}/${settingsFileName}`, base, budget)) paths.push(dirname(match));
  return paths.map((path) => (path === '.' ? basename(base) : path)).sort();
}

/** Checks that stacks only wait for existing ones, and not in a cycle. `wrong`: makes the error at `after`. */
function checkOrder(
  entries: readonly StackEntry[],
  errorAt: (name: string, more: Pointer, message: string) => SettingsError,
): void {
  const names = entries.map(({ name }) => name);
  const edges = entries.flatMap(({ name, after }, from) =>
    after.map((other, index) => {
      const on = names.indexOf(other);
      if (on === -1) throw errorAt(name, [index], `names no stack: ${other}. ${meantOrAvailable(other, names)}`);
      if (on === from) throw errorAt(name, [index], 'names the stack itself');
      return { from, on, soft: false };
    }),
  );
  const { cycle } = orderSteps(entries.length, edges);
  const [first] = cycle ?? [];
  if (cycle === undefined || first === undefined) return;
  const way = [...cycle.map(({ from }) => names[from]), names[first.from]].join(' → ');
  throw errorAt(names[first.from] ?? '', [], `waits in a circle: ${way}`);
}
