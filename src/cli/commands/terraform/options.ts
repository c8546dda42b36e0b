import type { GlobalOptions, OutputOptions } from '../../../terminal/options.ts';

export interface InstallOptions extends OutputOptions {
  readonly dir?: string;
}

export interface ConfigOptions extends OutputOptions {
  readonly dir?: string;
  /** Whether to run the provider of this installation. */
  readonly dev: boolean;
}

export type MirrorOptions = OutputOptions;

export type SchemaOptions = OutputOptions;

export interface ExportOptions extends GlobalOptions {
  readonly all: boolean;
  /** Manifests or stacks; empty: the live resources. */
  readonly declared: readonly string[];
  /** False with `--no-import`. */
  readonly import: boolean;
  /** False with `--no-requirements`. */
  readonly requirements: boolean;
  readonly format: 'hcl' | 'json';
  readonly out?: string;
}

export interface FromStateOptions extends OutputOptions {
  readonly format: 'yaml' | 'ts';
  readonly out?: string;
  /** Whether to write secret values. */
  readonly reveal: boolean;
  /** The owner to take over from. */
  readonly from?: string;
}

export interface BindingsOptions extends OutputOptions {
  readonly out: string;
  readonly for: 'cdktn' | 'cdktf';
}

export interface MigrateOptions extends OutputOptions {
  /** The file with a table of names. */
  readonly names?: string;
  /** The prefix of the other provider's types. */
  readonly prefix?: string;
  readonly write: boolean;
}
