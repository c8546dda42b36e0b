import type { Permits } from '../plan/model/permits.ts';
import type { ProjectOptions, Trust } from '../project/session/session.ts';

/** The options of every command, as commander parses them. */
export interface OutputOptions {
  readonly output: 'text' | 'json' | 'yaml';
  /** Undefined if the environment and the terminal decide. */
  readonly color?: boolean;
  /** False with `--no-input`: then the terminal reports that there can be no prompt. */
  readonly input: boolean;
}

/** The options for a project and its platform; a command omits those that it does not support. */
export interface GlobalOptions extends OutputOptions, ProjectOptions {}

/** For commands that prompt before they write. */
export interface AskOptions {
  readonly yes: boolean;
}

/** The permits of a plan, and its resources. */
export interface PermitOptions extends Permits {
  readonly target: readonly string[];
  readonly exclude: readonly string[];
}

/** For commands that accept several stacks. */
export interface AllOption {
  /** Whether to use all of several stacks. */
  readonly all: boolean;
}

/** For commands that send a notification about their outcome. */
export interface NotifyOptions {
  /** URLs, which are secrets. */
  readonly notify: readonly string[];
}

/** For commands that sign. */
export interface SignOptions {
  /** The file of a private key. */
  readonly sign?: string;
  /** The validity of the signature, in milliseconds. */
  readonly validFor: number;
}

export interface PlanTextOptions {
  /** Shows the bodies of PATCH requests. */
  readonly patch: boolean;
  /** One line for each change. */
  readonly compact: boolean;
  /** Nothing is folded or shortened. */
  readonly full: boolean;
}

export interface RehearseOption {
  /** True: the plan is run on the platform in this process; `crash`: also with an interruption at every point. */
  readonly rehearse?: true | 'crash';
}

export interface ApplyCommandOptions
  extends GlobalOptions,
    AskOptions,
    PermitOptions,
    PlanTextOptions,
    Trust,
    NotifyOptions {
  readonly wait: boolean;
  /** The number of concurrent changes; if undefined, as many as the platform bears, at most 64. */
  readonly parallelism?: number;
  /** In milliseconds; undefined for the default. */
  readonly waitTimeout?: number;
  /** In milliseconds: the limit for reads that are older than a write; undefined for the default. */
  readonly consistencyTimeout?: number;
  /** The verification after the run: by the versions of the written records, or by planning everything again. */
  readonly verify: 'written' | 'full';
}
