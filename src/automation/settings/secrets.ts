import { resolve } from 'node:path';
import { isArray, isObject, type JsonValue } from '../../schema/json/json.ts';

/** What manifests may read the values of secrets from. */
export interface SecretSettings {
  /** Programs, by `fromCommand`. */
  readonly commands: boolean;
  /** Files and folders outside of the project, by `fromFile`; absolute. */
  readonly files: readonly string[];
}

/** `secrets` of `gantry.yaml`; paths are relative to its folder. Throws what `bad` makes. */
export function parseSecrets(
  secrets: JsonValue | undefined,
  folder: string,
  bad: (message: string) => Error,
): SecretSettings | undefined {
  if (secrets === undefined || secrets === null) return undefined;
  if (!isObject(secrets)) throw bad('secrets must be an object such as `secrets: {commands: true}`');
  const unknown = Object.keys(secrets).find((key) => key !== 'commands' && key !== 'files');
  if (unknown !== undefined) throw bad(`secrets has no ${JSON.stringify(unknown)}; there are commands and files`);

  const { commands = false, files = [] } = secrets;
  if (typeof commands !== 'boolean') throw bad('secrets.commands must be true or false');
  const paths = isArray(files) ? files.filter((path) => typeof path === 'string' && path !== '') : [];
  if (!isArray(files) || paths.length !== files.length) {
    throw bad('secrets.files must be a list of paths, such as `files: [../shared]`');
  }
  return { commands, files: paths.map((path) => resolve(folder, String(path))) };
}
