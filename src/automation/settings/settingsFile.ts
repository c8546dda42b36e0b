import { lstat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ToolError } from '../../errors/toolError.ts';
import type { Written } from '../../manifest/model/manifest.ts';
import type { StoragePrice } from '../../plan/model/storagePrice.ts';
import { isObject } from '../../schema/json/json.ts';
import type { CustomKinds } from '../../schema/record/customKinds.ts';
import { systemReason } from '../files/fileRefusal.ts';
import { settingsFileName } from '../files/projectFiles.ts';
import { fileSizes } from '../files/sizes.ts';
import { parseKinds } from './kinds.ts';
import { parsePrice } from './price.ts';
import { parseSecrets, type SecretSettings } from './secrets.ts';

/** `gantry.yaml` of a project folder. */
export interface SettingsFile {
  readonly stack?: string;
  /** The environment of a TypeScript stack. */
  readonly env?: string;
  /** Makes the stack's name unique. */
  readonly project?: string;
  readonly org?: string;
  readonly gvc?: string;
  readonly endpoint?: string;
  readonly token?: string;
  /** Absolute: the file may say it relative to its own folder. */
  readonly data?: string;
  /** The file of the platform's own words; absolute, as `data`. */
  readonly dialect?: string;
  readonly directives?: 'all' | 'stated';
  /** What storage costs, so that plans can say it in money. */
  readonly price?: StoragePrice;
  /** What manifests may read values from. */
  readonly secrets?: SecretSettings;
  /** Kinds that the schema does not know. */
  readonly kinds?: CustomKinds;
}

const textKeys = ['stack', 'env', 'project', 'org', 'gvc', 'endpoint', 'token', 'data', 'dialect'] as const;
/** `main` names the stack file of the folder: it belongs to whoever reads the inputs. */
const knownKeys: readonly string[] = [...textKeys, 'directives', 'price', 'secrets', 'kinds', 'main'];

/** Reads `gantry.yaml` of the folder; an absent file sets nothing. Errors: `settings.file`. */
export async function readSettingsFile(folder: string): Promise<SettingsFile> {
  const path = join(folder, settingsFileName);
  const missing = await lstat(path).then(() => false, isMissing);
  return missing ? {} : readSettingsOf(path);
}

/** The same of one file, which has to be there. */
export async function readSettingsOf(path: string): Promise<SettingsFile> {
  const { readDataFile } = await import('../files/dataFile.ts');
  const { value, written } = await readDataFile(path, { most: fileSizes.settings }).catch((error: unknown) => {
    throw bad(path, systemReason(error));
  });
  return parseSettings(value, path, written);
}

/** What is there and cannot be read is no reason to go on without it: a link that leads nowhere, too. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** `written`: the text of a number as it stands in the file, so that `1.10` stays what it is. */
export function parseSettings(parsed: unknown, path: string, written: Written = () => undefined): SettingsFile {
  if (parsed === null || parsed === undefined) return {};
  if (!isObject(parsed)) throw bad(path, 'it must contain settings such as `stack: NAME`');

  const unknown = Object.keys(parsed).find((key) => !knownKeys.includes(key));
  if (unknown !== undefined) {
    // A line that lost its colon may be a secret.
    const what = /^[\w.-]{1,64}$/.test(unknown) ? `no setting "${unknown}"` : 'a line that is not a setting';
    throw bad(path, `there is ${what}; there are ${knownKeys.join(', ')}`);
  }
  const settings: Record<string, string> = {};
  for (const key of textKeys) {
    const value = Object.hasOwn(parsed, key) ? parsed[key] : undefined;
    if (value === undefined || value === null || value === '') continue;
    if (typeof value !== 'string' && typeof value !== 'number') throw bad(path, `${key} must be a text`);
    const isPath = key === 'data' || key === 'dialect';
    const text = typeof value === 'string' ? value : (written([key]) ?? String(value));
    settings[key] = isPath ? resolve(dirname(path), text) : text;
  }
  const price = Object.hasOwn(parsed, 'price')
    ? parsePrice(parsed['price'], (message) => bad(path, message))
    : undefined;
  const secrets = Object.hasOwn(parsed, 'secrets')
    ? parseSecrets(parsed['secrets'], dirname(path), (message) => bad(path, message))
    : undefined;
  const kinds = Object.hasOwn(parsed, 'kinds')
    ? parseKinds(parsed['kinds'], (message) => bad(path, message))
    : undefined;
  const priced = {
    ...settings,
    ...(kinds === undefined ? {} : { kinds }),
    ...(price === undefined ? {} : { price }),
    ...(secrets === undefined ? {} : { secrets }),
  };
  const directives = Object.hasOwn(parsed, 'directives') ? parsed['directives'] : undefined;
  if (directives === undefined) return priced;
  if (directives !== 'all' && directives !== 'stated') throw bad(path, 'directives must be `all` or `stated`');
  return { ...priced, directives };
}

function bad(path: string, message: string): ToolError {
  return new ToolError({
    code: 'settings.file',
    message: `${path}: ${message}`,
    hint: 'Correct gantry.yaml; an example is `stack: shop`.',
    place: { file: path },
  });
}
