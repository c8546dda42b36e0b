import type { RequestWatch } from '../../client/http/exchange.ts';
import type { StepEvent } from './event.ts';
import type { Interruptible } from './interruptible.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The options that select a project and its platform; they override the environment and `gantry.yaml`. */
export interface ProjectOptions {
  readonly org?: string;
  readonly gvc?: string;
  readonly endpoint?: string;
  readonly token?: string;
  /** The file with the token. */
  readonly tokenFile?: string;
  /** The profile to use; undefined: that of the environment, or the default. */
  readonly profile?: string;
  /** Whether any certificate of the platform is accepted. */
  readonly insecure?: boolean;
  readonly stack?: string;
  /** An environment of `gantry.yaml`, or of a TypeScript stack. */
  readonly env?: string;
  /** Whether to start a platform on this machine for the duration of the session. */
  readonly embedded: boolean;
  readonly data?: string;
  readonly dialect?: string;
  /**
   * Absolute: the manifests and settings are foreign. They may read files below this folder and run nothing; further
   * permissions in their `gantry.yaml` are ignored.
   */
  readonly foreign?: string;
  /** Whether to skip profiles, which may be those of another machine, because no platform is used. */
  readonly offline?: boolean;
}

/** Everything that steps know about their process, as arguments. */
export interface Surroundings {
  readonly environment: Environment;
  /** Absolute: the base of relative paths. */
  readonly cwd: string;
  /** For the PATH `-`. */
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** Milliseconds, for durations only. */
  readonly now: () => number;
  /** Awaited, so problems are reported before the error that follows. */
  readonly tell: (event: StepEvent) => void | Promise<void>;
  /** Absent without a collector of traces. */
  readonly tracing?: Tracing;
  /** Absent if nothing interrupts. */
  readonly interruptible?: Interruptible;
  /** Absent: the stack sees a command line with only its file, and Node gets no options. */
  readonly stackProcess?: StackProcessOptions;
}

/** For the process that runs a stack file. */
export interface StackProcessOptions {
  /** The command line that the stack sees. */
  readonly argv: readonly string[];
  /** Options of Node. */
  readonly nodeOptions: readonly string[];
  /** Absent for no limits. */
  readonly bounds?: StackBounds;
}

/** Limits for foreign code. */
export interface StackBounds {
  readonly mostMs: number;
  readonly mostMegabytes: number;
  /**
   * Absolute: the stack can read files below it and Gantry's, which also provides the packages `gantry` and
   * `constructs`; it cannot write files or start processes. Absent: it has all permissions of this user.
   */
  readonly confinedTo?: string;
}

export interface Session<O extends ProjectOptions = ProjectOptions> extends Surroundings {
  readonly options: O;
}

/** Measures durations for a collector of traces. */
export interface Tracing {
  /** A part of the work, and the parent of phases that begin in it. Records an error that it throws or returns. */
  phase<T>(name: string, work: () => Promise<T>): Promise<T>;
  readonly requests: RequestWatch;
}

/** Runs work as a phase if there is tracing. */
export function phase<T>(
  { tracing }: { readonly tracing?: Tracing | undefined },
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  return tracing === undefined ? work() : tracing.phase(name, work);
}

/** The trusted signatures, as files of public keys. */
export interface Trust {
  /** Keys that may plan. */
  readonly signedBy?: string;
  /** Keys that may approve. */
  readonly approvedBy?: string;
}
