import type { Permits } from '../../plan/model/permits.ts';
import type { ProjectOptions } from '../../project/session/session.ts';
import type { Trust } from '../../project/session/trust.ts';

/** What every command takes, as commander hands it over. */
export interface OutputOptions {
  readonly output: 'text' | 'json' | 'yaml';
  /** Undefined: decided by the environment and the terminal. */
  readonly color?: boolean;
  /** False with `--no-input`: the terminal says that nobody can be asked. */
  readonly input: boolean;
}

/** What names a project and its platform; a command that does not know one of them goes without. */
export interface GlobalOptions extends OutputOptions, ProjectOptions {}

/** Of commands that ask before they write. */
export interface AskOptions {
  readonly yes: boolean;
}

/** What a plan may do, and to what. */
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
  /** What is compared after the run: the versions of what was written, or by planning again everything. */
  readonly verify: 'written' | 'full';
}
