import type {
  AskOptions,
  GlobalOptions,
  NotifyOptions,
  OutputOptions,
  PlanTextOptions,
  SignOptions,
} from '../../../terminal/options.ts';

export interface StoreOptions {
  readonly store?: string;
  readonly data?: string;
}

export interface WorkerOptions extends GlobalOptions, SignOptions, StoreOptions, NotifyOptions {
  readonly config: string;
  /** Whether to assign the store to this list of stacks from now on. */
  readonly takeOver?: true;
  readonly parallelism: number;
  /** In milliseconds. */
  readonly runTimeout: number;
  readonly name?: string;
  /** True: at the default address. */
  readonly http?: string | true;
  /** The file of callers who may read and approve. */
  readonly tokens?: string;
}

export interface BoardOptions extends OutputOptions, StoreOptions {}

export interface PauseOptions extends BoardOptions {
  readonly reason?: string;
  /** In milliseconds. */
  readonly for?: number;
}

export interface ReconcileApproveOptions extends GlobalOptions, SignOptions, AskOptions, PlanTextOptions, StoreOptions {
  readonly plan?: string;
  readonly by?: string;
}
