import type { Surroundings } from '../session/session.ts';

/** The problem of a source, never with a value in it. */
export interface Unreadable {
  readonly rule: 'value.env' | 'value.file' | 'value.command' | 'value.encoding' | 'value.empty';
  readonly message: string;
  readonly hint: string;
}

export interface OutsideOptions extends Pick<Surroundings, 'cwd' | 'environment' | 'interruptible'> {
  /** Of the project: files must lie in it, commands run in it. */
  readonly folder: string;
  /** Further folders and files that may be read; absolute. */
  readonly files: readonly string[];
  /** Files that may never be read: the data of the embedded platform, the settings. */
  readonly closed: readonly string[];
  /** `foreign`: those of somebody else, whom nobody can allow it. */
  readonly commands: boolean | 'foreign';
  /** False: values are not needed, and nothing is read. */
  readonly wanted: boolean;
}
