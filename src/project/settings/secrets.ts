import type { Setting } from './setting.ts';
import { flag, list, object, path } from './settingForms.ts';

/** What manifests may read the values of secrets from. */
export interface SecretSettings {
  /** Programs, by `fromCommand`. */
  readonly commands: boolean;
  /** Files and folders outside of the project, by `fromFile`; absolute. */
  readonly files: readonly string[];
}

const filePath: Setting<string> = {
  schema: { type: 'string', minLength: 1 },
  read(value, at) {
    if (typeof value === 'string' && value !== '') return path.read(value, at);
    throw at.bad('must be a path, such as ../shared');
  },
};

const members = object({ commands: flag, files: list(filePath, 'files: [../shared]') }, 'secrets: {commands: true}');

/** Paths are relative to the folder of the file. */
export const secrets: Setting<SecretSettings> = {
  schema: members.schema,
  read(value, at) {
    const { commands = false, files = [] } = members.read(value, at);
    return { commands, files };
  },
};
