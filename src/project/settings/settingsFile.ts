import { lstat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { choice, converted, described, list, map, type Reader } from '../../base/form/read.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import type { PromotionRules } from '../../change/promotion.ts';
import { parsePattern, patternExamples } from '../../change/promotionPattern.ts';
import { customKinds } from '../../kinds/readCustomKind.ts';
import type { Locate } from '../../manifest/model/manifest.ts';
import { isMissing } from '../files/exists.ts';
import { FileRefusal, systemReason } from '../files/fileRefusal.ts';
import { settingsFileName } from '../files/projectFiles.ts';
import { fileSizes } from '../files/sizes.ts';
import { environments } from './environment.ts';
import { price } from './price.ts';
import { secrets } from './secrets.ts';
import {
  duration,
  type MembersOf,
  name,
  object,
  path,
  readSettings,
  SettingsError,
  type SettingsErrorWords,
  type SettingsSource,
  text,
  withDescriptions,
} from './setting.ts';
import type { KeySetting } from './settingsTable.ts';
import { signers } from './signers.ts';

const pattern = converted(
  (value) => (typeof value === 'string' ? parsePattern(value) : undefined),
  `a path such as ${patternExamples}`,
  { type: 'string', minLength: 1 },
);

const valuePath = /^values((?:\.[\w-]+)+)$/;

const carriedPath = converted(
  (value) => (typeof value === 'string' ? valuePath.exec(value)?.[1]?.slice(1).split('.') : undefined),
  'the path of a value, such as values.web.tag',
  { type: 'string', pattern: valuePath.source },
);

const promotionMembers = object(
  {
    'may-differ': described(
      'The differences that gantry promote permits.',
      list(pattern, 'a list such as `[values.replicas]`'),
    ),
    carry: described(
      'The values that gantry promote --write carries over.',
      list(carriedPath, 'a list such as `[values.web.tag]`'),
    ),
  },
  'promotion: {may-differ: [values.replicas]}',
);

const promotion = map(
  promotionMembers,
  ({ 'may-differ': mayDiffer = [], carry }): PromotionRules => ({ mayDiffer, carry }),
);

/** `policies` of `gantry.yaml`, unparsed: read when policies are evaluated. */
export interface UnparsedPolicies {
  readonly value: JsonValue;
  /** Pointers are relative to the whole file. */
  readonly locate: Locate;
}

/** Parsed by `src/policies/rules/policySettings.ts`, which has its schema. */
const policies: Reader<UnparsedPolicies> = {
  schema: {},
  read(value, at) {
    const { file = '', folder = '', locate } = at.source;
    const otherwise = { file: resolve(folder, file), line: 1, column: 1 };
    return { value, locate: locate ?? (() => otherwise) };
  },
};

/** All keys of `gantry.yaml` in a project folder, with readers; the JSON Schema is derived. */
const members = {
  stack: name,
  env: text,
  project: name,
  org: text,
  gvc: text,
  endpoint: text,
  token: text,
  data: path,
  dialect: path,
  platform: path,
  'consistency-timeout': duration,
  directives: choice('all', 'stated'),
  price,
  signers,
  secrets,
  kinds: customKinds,
  main: text,
  environments,
  policies,
  promotion,
} satisfies Readonly<Record<KeySetting, Reader<unknown>>>;

const settingsFile = object(withDescriptions(members), 'stack: NAME');

/** `gantry.yaml` of a project folder; paths are absolute. */
export type SettingsFile = MembersOf<typeof members>;

/** The JSON Schema of `gantry.yaml`. `policySchema`: for `policies`. */
export function settingsSchema(policySchema: JsonObject): JsonObject {
  const described = { ...members, policies: { ...policies, schema: policySchema } };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'gantry/settings.json',
    title: 'Settings of a Gantry project: gantry.yaml',
    ...object(withDescriptions(described), '').schema,
  };
}

/** Reads `gantry.yaml` of the folder; an absent file sets nothing. Errors: `settings.file`. */
export async function readSettingsFile(folder: string): Promise<SettingsFile> {
  const file = join(folder, settingsFileName);
  // An existing file that cannot be read is an error, even a link with a missing target.
  const missing = await lstat(file).then(() => false, isMissing);
  return missing ? {} : readSettingsOf(file);
}

/** The same for one file, which must exist. */
export async function readSettingsOf(file: string): Promise<SettingsFile> {
  const { readDataFile } = await import('../files/dataFile.ts');
  const { value, ...places } = await readDataFile(file, { most: fileSizes.settings }).catch((error: unknown) => {
    throw unreadableSettings(file, error);
  });
  return parseSettings(value, file, places);
}

/** A problem of a setting of the folder's `gantry.yaml`, with its place. */
export async function settingProblem(
  folder: string,
  pointer: readonly string[],
  message: string,
  words: SettingsErrorWords,
): Promise<SettingsError> {
  const { readDataFile } = await import('../files/dataFile.ts');
  const file = join(folder, settingsFileName);
  const { locate } = await readDataFile(file, { most: fileSizes.settings });
  const { line, column } = locate?.(pointer) ?? {};
  return new SettingsError([{ message, place: { file, ...present({ line, column }) } }], words);
}

/** Errors: `settings.file`. */
export function parseSettings(
  parsed: unknown,
  file: string,
  places: Omit<SettingsSource, 'file' | 'folder'> = { written: () => undefined },
): SettingsFile {
  if (parsed === null || parsed === undefined) return {};
  const source = { file, folder: resolve(dirname(file)), ...places };
  return readSettings(settingsFile, isObject(parsed) ? parsed : null, source);
}

/** Problems of YAML syntax keep their positions. */
export function unreadableSettings(file: string, error: unknown, words?: SettingsErrorWords): SettingsError {
  const problems = error instanceof FileRefusal ? error.problems : [];
  const placed = problems.map(({ message, position: { line, column } }) => ({
    message,
    place: { file, line, column },
  }));
  const [first = { message: systemReason(error), place: { file } }, ...others] = placed;
  return new SettingsError([first, ...others], words);
}
