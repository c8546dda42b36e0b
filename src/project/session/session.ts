import type { RequestWatch } from '../../client/http/exchange.ts';
import type { StepEvent } from './event.ts';
import type { Interruptible } from './interruptible.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The options that name a project and its platform; they win over the environment and `gantry.yaml`. */
export interface ProjectOptions {
  readonly org?: string;
  readonly gvc?: string;
  readonly endpoint?: string;
  readonly token?: string;
  /** The file that the token is read from. */
  readonly tokenFile?: string;
  /** The profile to use; undefined: the one of the environment, or the default. */
  readonly profile?: string;
  /** Any certificate of the platform is accepted. */
  readonly insecure?: boolean;
  readonly stack?: string;
  /** One of the environments of `gantry.yaml`, or of a TypeScript stack. */
  readonly env?: string;
  /** A platform on this machine, started for the length of the session. */
  readonly embedded: boolean;
  readonly data?: string;
  readonly dialect?: string;
  /**
   * Absolute: the manifests and the settings are of somebody else, who may read files below this folder, and run nothing:
   * what their `gantry.yaml` allows itself beyond that does not count.
   */
  readonly foreign?: string;
  /** No platform is asked, so profiles are not read: they may be those of another machine. */
  readonly offline?: boolean;
}

/** Everything that the steps know of the process that they run in, as arguments. */
export interface Surroundings {
  readonly environment: Environment;
  /** Absolute: relative paths start here. */
  readonly cwd: string;
  /** For the PATH `-`. */
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** Milliseconds, for durations only. */
  readonly now: () => number;
  /** Awaited, so that what is said of problems is said before the error that follows. */
  readonly tell: (event: StepEvent) => void | Promise<void>;
  /** Absent: nobody collects traces. */
  readonly tracing?: Tracing;
  /** Absent: nothing interrupts. */
  readonly interruptible?: Interruptible;
  /** Absent: the command line of a stack names its file only, and Node has no options. */
  readonly stackProcess?: StackProcessOptions;
}

/** Of the process in which a stack file runs. */
export interface StackProcessOptions {
  /** The command line that the stack sees as its own. */
  readonly argv: readonly string[];
  /** Options of Node. */
  readonly nodeOptions: readonly string[];
  /** Absent: it may take what it takes. */
  readonly bounds?: StackBounds;
}

/** For the code of somebody else. */
export interface StackBounds {
  readonly mostMs: number;
  readonly mostMegabytes: number;
  /**
   * Absolute: it reads files below and those of Gantry, which stands in for the packages `gantry` and `constructs`; it
   * writes none and starts no process. Absent: it may what this user may.
   */
  readonly confinedTo?: string;
}

/** The surroundings and options that the steps work with. */
export interface Session<O extends ProjectOptions = ProjectOptions> extends Surroundings {
  readonly options: O;
}

/** Where the time goes, for whoever collects traces. */
export interface Tracing {
  /** A part of the work: what begins in it belongs to it. An error that it throws or returns is one of it. */
  phase<T>(name: string, work: () => Promise<T>): Promise<T>;
  readonly requests: RequestWatch;
}

/** Work that is a phase where it is traced. */
export function phase<T>(
  { tracing }: { readonly tracing?: Tracing | undefined },
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  return tracing === undefined ? work() : tracing.phase(name, work);
}

/** Whose signatures count: files of public keys. */
export interface Trust {
  /** Of keys that may plan. */
  readonly signedBy?: string;
  /** Of keys that may approve. */
  readonly approvedBy?: string;
}
