import { flag, list, map, textLike } from '../../base/form/read.ts';
import { object, path } from './setting.ts';

/** The permitted sources of secret values in manifests. */
export interface SecretSettings {
  /** Whether programs are permitted, for `fromCommand`. */
  readonly commands: boolean;
  /** Files and folders outside of the project, for `fromFile`; absolute. */
  readonly files: readonly string[];
}

const nonEmptyPath = textLike((given) => given !== '', 'a path, such as ../shared', {
  type: 'string',
  minLength: 1,
});
const filePath = map(nonEmptyPath, path.read);

const members = object(
  { commands: flag, files: list(filePath, 'a list such as `files: [../shared]`') },
  'secrets: {commands: true}',
);

/** Paths are relative to the folder of the file. */
export const secrets = map(members, ({ commands = false, files = [] }): SecretSettings => ({ commands, files }));
