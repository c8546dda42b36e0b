import type { Risk } from '../../schema/facts/risk.ts';

/** What every command takes, as commander hands it over. */
export interface OutputOptions {
  readonly output: 'text' | 'json' | 'yaml';
  /** Undefined: decided by the environment and the terminal. */
  readonly color?: boolean;
}

/** What names a project and its platform; a command that does not know one of them goes without. */
export interface GlobalOptions extends OutputOptions {
  readonly org?: string;
  readonly gvc?: string;
  readonly endpoint?: string;
  readonly token?: string;
  readonly stack?: string;
  readonly embedded: boolean;
  readonly data?: string;
  readonly dialect?: string;
}

/** Of commands that ask before they write. */
export interface AskOptions {
  readonly yes: boolean;
  /** False with `--no-input`. */
  readonly input: boolean;
}

/** What permits that which a plan refuses by default. */
export interface PermitOptions {
  readonly adopt: boolean;
  readonly prune: boolean;
  readonly allowCollateral: number;
  readonly allowDataLoss: number;
  readonly allowLostValues: number;
  readonly allowUnseen: boolean;
  /** Undefined only for `destroy`: no limit. */
  readonly maxDeletes?: number;
  readonly allowEmpty: boolean;
  readonly revertOperational: boolean;
  readonly writeUnknownSecrets: boolean;
  /** Undefined: no limit. */
  readonly maxRisk?: Risk;
  readonly maxChanges?: number;
  readonly target: readonly string[];
  readonly exclude: readonly string[];
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

export interface PlanCommandOptions extends GlobalOptions, PermitOptions, PlanTextOptions {
  readonly wait: boolean;
  readonly detailedExitcode: boolean;
  /** The file that the plan is kept in. */
  readonly out?: string;
  /** True: the plan is run in the platform of this process; `crash`: at every point of interruption too. */
  readonly rehearse?: true | 'crash';
  /** A file with the live state, as of `GET /-snapshot`: nothing is asked over the network. */
  readonly snapshot?: string;
}

export interface ApplyCommandOptions extends GlobalOptions, AskOptions, PermitOptions, PlanTextOptions {
  readonly wait: boolean;
  /** Changes that are worked on at the same time; undefined: as many as the platform bears, at most 64. */
  readonly parallelism?: number;
  /** In milliseconds; undefined: the usual time. */
  readonly waitTimeout?: number;
  /** What is compared after the run: the versions of what was written, or by planning again everything. */
  readonly verify: 'written' | 'full';
}

/** What only deletes needs no more than these. */
export type DestroyOptions = Omit<
  ApplyCommandOptions,
  'wait' | 'waitTimeout' | 'adopt' | 'prune' | 'allowEmpty' | 'revertOperational' | 'writeUnknownSecrets'
>;

export interface ShowOptions extends OutputOptions, PlanTextOptions {}

export interface ExplainOptions extends GlobalOptions, PermitOptions {}

export interface DriftOptions extends GlobalOptions {
  readonly detailedExitcode: boolean;
}

export interface StatusOptions extends GlobalOptions {
  readonly watch: boolean;
  /** In milliseconds: how long to watch; undefined: as long as it takes. */
  readonly waitTimeout?: number;
}

export interface AdoptOptions extends GlobalOptions, AskOptions {
  readonly all: boolean;
  readonly format: 'yaml' | 'ts';
  /** The folder or file that is written; undefined: standard output. */
  readonly out?: string;
}

export interface UndoOptions
  extends GlobalOptions,
    PlanTextOptions,
    Pick<PermitOptions, 'allowCollateral' | 'allowDataLoss' | 'allowUnseen'> {
  readonly out?: string;
}

export interface ServeOptions extends OutputOptions, Pick<GlobalOptions, 'org' | 'token' | 'data' | 'dialect'> {
  readonly store?: string;
  readonly port: number;
  readonly host: string;
  readonly lenient: boolean;
  /** Forms of answers, with commas between them. */
  readonly answers?: string;
  readonly proveOwnership: boolean;
  readonly expandLimit?: number;
  readonly rateLimit?: number;
  readonly deletionDelay: number;
  readonly clock: 'real' | 'virtual';
  readonly seed: string;
  /** Paths of files. */
  readonly faults?: string;
  readonly tokens?: string;
  readonly from?: string;
  readonly publicUrl?: string;
  /** Undefined: as the address has it. */
  readonly dev?: boolean;
  readonly latency: number;
  readonly readyAfter: number;
  readonly user: readonly string[];
  /** False with `--no-auth`. */
  readonly auth: boolean;
}

export interface SynthOptions extends GlobalOptions {
  /** Secret values are printed. */
  readonly reveal: boolean;
}

export interface GraphOptions extends GlobalOptions {
  readonly format: 'mermaid' | 'dot' | 'text';
}
