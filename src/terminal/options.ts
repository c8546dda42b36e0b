import type { Permits } from '../plan/model/permits.ts';
import type { ProjectOptions, Trust } from '../project/session/session.ts';

/** The options of every command, as commander hands them over. */
export interface OutputOptions {
  readonly output: 'text' | 'json' | 'yaml';
  /** Undefined: decided by the environment and the terminal. */
  readonly color?: boolean;
  /** False with `--no-input`: the terminal says that nobody can be asked. */
  readonly input: boolean;
}

/** The options that name a project and its platform; a command that does not know one of them goes without. */
export interface GlobalOptions extends OutputOptions, ProjectOptions {}

/** Of commands that ask before they write. */
export interface AskOptions {
  readonly yes: boolean;
}

/** The permits of a plan, and the resources that it is about. */
export interface PermitOptions extends Permits {
  readonly target: readonly string[];
  readonly exclude: readonly string[];
}

/** Of commands that can be about several stacks. */
export interface AllOption {
  /** Of several stacks all. */
  readonly all: boolean;
}

/** Of commands that tell somebody how they ended. */
export interface NotifyOptions {
  /** Addresses, which are secrets. */
  readonly notify: readonly string[];
}

/** Of commands that sign. */
export interface SignOptions {
  /** The file of a private key. */
  readonly sign?: string;
  /** How long the signature counts, in milliseconds. */
  readonly validFor: number;
}

/** How a plan is shown to people. */
export interface PlanTextOptions {
  /** With the bodies of PATCH requests. */
  readonly patch: boolean;
  /** One line for each change. */
  readonly compact: boolean;
  /** Nothing folded, nothing cut. */
  readonly full: boolean;
}

export interface RehearseOption {
  /** True: the plan is run in the platform of this process; `crash`: at every point of interruption too. */
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
  /** Changes that are worked on at the same time; undefined: as many as the platform bears, at most 64. */
  readonly parallelism?: number;
  /** In milliseconds; undefined: the usual time. */
  readonly waitTimeout?: number;
  /** In milliseconds: with reads that are older than a write; undefined: the usual time. */
  readonly consistencyTimeout?: number;
  /** How it is verified after the run: by the versions of the written records, or by planning everything again. */
  readonly verify: 'written' | 'full';
}
