import type { AskOptions, GlobalOptions } from '../../../terminal/line/options.ts';

export interface AdoptOptions extends GlobalOptions, AskOptions {
  readonly all: boolean;
  readonly format: 'yaml' | 'ts';
  /** The folder or file that is written; undefined: standard output. */
  readonly out?: string;
}
