import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  At,
  adviceOf,
  choice,
  described,
  dictionary,
  json,
  list,
  object,
  optional,
  text,
  textLike,
  tryRead,
} from '../../base/form/read.ts';
import { isObject, type JsonObject, listAt, own, sameJson, stringAt } from '../../base/json/json.ts';
import { jsonIn } from '../../base/json/jsonText.ts';
import { compact, present } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import { Capabilities, keptOf, placeOf } from '../../capabilities/capabilities.ts';
import { systemReason } from '../files/fileRefusal.ts';
import { platformFileName } from '../files/projectFiles.ts';
import { sha256 } from '../files/sha256.ts';
import { fileSizes } from '../files/sizes.ts';
import { writeWhole } from '../files/writeWhole.ts';
import { addressesOf, sameEndpoint } from '../settings/endpoints.ts';
import type { Settings } from '../settings/resolveSettings.ts';

/** The findings of runs, in the data folder if it exists. */
const cacheName = 'platform.json';

const dayMs = 24 * 60 * 60 * 1000;
/** How long the findings of `gantry doctor`, and those of a run, are valid. */
export const lifetimes = { doctor: 30 * dayMs, run: dayMs } as const;

const time = textLike((given) => !Number.isNaN(Date.parse(given)), 'a time as in ISO 8601');
const platform = object({
  endpoint: described('Its address; several are separated by commas.', text),
  org: described('A digest of the name of the org.', text),
  learnt: described('ISO 8601.', time),
  until: described('ISO 8601: from then on the platform is asked anew.', time),
  findings: described(
    'By the ids of docs/platform/assumptions.md: does the platform do what is assumed?',
    dictionary(choice('holds', 'otherwise'), { name: /^[a-z]+\.[a-z0-9.-]+$/, what: 'the id of an assumption' }),
  ),
  defaults: optional(
    described(
      'By kind and path, with a space between: what the platform fills in, if that is not what is documented.',
      dictionary(json, { name: /^[a-z][\w-]* [\w.*-]+$/, what: 'a kind and a path' }),
    ),
  ),
});
const platformFile = object({
  formatVersion: choice(1),
  platforms: described('One for each endpoint and org.', list(platform)),
});

export const platformFileSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'gantry/platform.json',
  title: 'Gantry, what is known of a platform, format 1: gantry.platform.json',
  ...platformFile.schema,
};

/** The platform of the findings. */
interface Target {
  readonly endpoint: string;
  readonly org: string;
}

/** The findings that a run starts from, and the store for its own. */
export interface KeptCapabilities {
  /** Starts the capabilities of one client. */
  start(): Capabilities;
  /** Stores what the client has learnt since, if the project has a data folder. */
  keep(capabilities: Capabilities): Promise<void>;
}

/**
 * Reads the findings about this platform from the project's file and from the data folder. They are never used for
 * another endpoint or org. `tell` receives a note if the file has expired. Errors: `platform.file`.
 */
export async function readKept(
  { platform: file, data }: Pick<Settings, 'platform' | 'data'>,
  { cwd, target, tell }: { readonly cwd: string; readonly target: Target; readonly tell: (note: string) => void },
): Promise<KeptCapabilities> {
  const folder = resolve(cwd, data);
  const cache = join(folder, cacheName);
  const now = Date.now();
  const [ofProject, ofRuns] = await Promise.all([
    file === undefined ? undefined : readPlatformFile(file).then((read) => entryOf(read, target)),
    readPlatformFile(cache).then(
      (read) => entryOf(read, target),
      () => undefined, // it will be rewritten
    ),
  ]);
  if (ofProject !== undefined && !isValid(ofProject, now)) {
    tell(
      `note: ${file}: what it says of this platform was valid until ${stringAt(ofProject, 'until')}, so it is not ` +
        `used; gantry doctor --out ${platformFileName} asks the platform again`,
    );
  }
  const valid = compact([ofProject, ofRuns]).filter((entry) => isValid(entry, now));
  const inOrder = valid.toSorted((a, b) => timeOf(a, 'learnt') - timeOf(b, 'learnt'));
  // The table of assumptions, which validates findings, is only loaded if there are some.
  const { startFrom } =
    inOrder.length === 0 ? { startFrom: () => new Capabilities() } : await import('../../capabilities/kept.ts');
  return {
    start: () => startFrom(inOrder),
    async keep(capabilities) {
      const isFolder = await stat(folder).then(
        (found) => found.isDirectory(),
        () => false,
      );
      if (!isFolder) return;
      const { startFrom } = await import('../../capabilities/kept.ts');
      const known = startFrom(inOrder);
      // Properties that each run finds out anew are not stored.
      const learnt = [...startFrom([keptOf(capabilities)]).known()].filter(([id, found]) => known.of(id) !== found);
      const defaults = [...capabilities.defaults()].filter(
        ([key, value]) => !sameJson(known.defaults().get(key), value),
      );
      const disproved = [...capabilities.disproved()].filter((key) => known.defaults().has(key));
      if (learnt.length + defaults.length + disproved.length === 0) return;
      const before = ofRuns !== undefined && isValid(ofRuns, now) ? ofRuns : undefined;
      const all = startFrom(compact([before]));
      for (const [id, found] of learnt) all.learn(id, found);
      for (const key of disproved) all.unlearnDefault(...placeOf(key));
      for (const [key, value] of defaults) all.learnDefault(...placeOf(key), value);
      const until = before === undefined ? now + lifetimes.run : timeOf(before, 'until');
      // If it cannot be written, the next run learns it again.
      await writeKept(cache, target, all, { now, until }).catch(() => {});
    },
  };
}

/** Replaces the findings about this platform in the file. Errors: those of the system. */
export async function writeKept(
  file: string,
  target: Target,
  capabilities: Capabilities,
  { now, until }: { readonly now: number; readonly until: number },
): Promise<void> {
  const before = await readPlatformFile(file).catch(() => ({}));
  const others = listAt(before, 'platforms')
    .filter(isObject)
    .filter((entry) => !isOf(entry, target));
  const entry = {
    endpoint: addressesOf(target.endpoint).join(','),
    org: digestOf(target.org),
    learnt: new Date(now).toISOString(),
    until: new Date(until).toISOString(),
    ...keptOf(capabilities),
  };
  writeWhole(file, `${JSON.stringify({ formatVersion: 1, platforms: [...others, entry] }, null, 2)}\n`, 0o644);
}

function isOf(entry: JsonObject, { endpoint, org }: Target): boolean {
  const theirs = stringAt(entry, 'endpoint') ?? '';
  return theirs !== '' && sameEndpoint(theirs, endpoint) && own(entry, 'org') === digestOf(org);
}

function entryOf(file: JsonObject, target: Target): JsonObject | undefined {
  return listAt(file, 'platforms')
    .filter(isObject)
    .find((entry) => isOf(entry, target));
}

/** Readers of the file must not learn the name of the org. */
function digestOf(org: string): string {
  return `sha256:${sha256(org).slice(0, 16)}`;
}

function timeOf(entry: JsonObject, key: 'learnt' | 'until'): number {
  return Date.parse(stringAt(entry, key) ?? '');
}

/** Whether the dates are valid: not unreadable, and not in the future, as from a wrong clock. */
function isValid(entry: JsonObject, now: number): boolean {
  return timeOf(entry, 'learnt') <= now && now < timeOf(entry, 'until');
}

/** Errors: `platform.file`, with its position. */
async function readPlatformFile(file: string): Promise<JsonObject> {
  try {
    const content = await readFile(file, 'utf8');
    const parsed: unknown = content.length > fileSizes.settings ? undefined : jsonIn(content);
    if (isObject(parsed) && isRight(parsed)) return parsed;
    return await refuse(file);
  } catch (error) {
    throw error instanceof ToolError ? error : damaged(file, systemReason(error));
  }
}

function isRight(parsed: JsonObject): boolean {
  return 'value' in tryRead(() => platformFile.read(parsed, new At()));
}

/** Reports the position of the damage. */
async function refuse(file: string): Promise<never> {
  const { readDataFile } = await import('../files/dataFile.ts');
  const { value: written, locate } = await readDataFile(file, { most: fileSizes.settings });
  const read = tryRead(() => platformFile.read(written, new At()));
  const [first] = 'problems' in read ? read.problems : [];
  if (first === undefined) throw damaged(file, 'it is not JSON');
  const { line, column } = locate?.(first.pointer) ?? { line: 1, column: 1 };
  throw damaged(`${file}:${line}:${column}`, adviceOf(first), { place: { file, line, column } });
}

function damaged(file: string, reason: string, { place }: Pick<ToolError, 'place'> = { place: { file } }): ToolError {
  return new ToolError({
    code: 'platform.file',
    message: `${file}: ${reason}`,
    hint: `Delete it, or write it again: gantry doctor --out ${platformFileName}.`,
    ...present({ place }),
  });
}
