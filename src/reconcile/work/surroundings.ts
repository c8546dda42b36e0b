import type { PlatformHost, PlatformOptions } from '../../project/platform/platform.ts';
import type { Environment, Session, StackProcessOptions } from '../../project/session/session.ts';
import type { Signing } from '../../signing/signPlan.ts';
import type { FetchStack, ReadConfig, StackEntry } from '../model.ts';
import type { Store } from '../store/store.ts';

/** Everything that a worker works with. */
export interface WorkerSurroundings {
  readonly store: Store;
  /** Unique among the workers of the store: what a restarted one calls itself is another name. */
  readonly name: string;
  readonly readConfig: ReadConfig;
  readonly fetchStack: FetchStack;
  /** What code and manifests of stacks may see: without tokens and keys of the worker (`stackEnvironment`). */
  readonly environment: Environment;
  /** The platform of the worker, with its token. */
  readonly options: Pick<
    PlatformOptions,
    'endpoint' | 'token' | 'org' | 'insecure' | 'embedded' | 'data' | 'dialect' | 'bounds'
  >;
  /** Of an embedded platform, which all stacks share. */
  readonly host?: PlatformHost;
  /** Plans that wait are signed with it. */
  readonly signing?: Signing;
  /** Stacks at the same time. */
  readonly concurrency: number;
  readonly stackProcess?: StackProcessOptions;
  /** At most this long one run of a stack takes. */
  readonly mostRunMs: number;
  /** One structured line of the log. */
  readonly log: (line: LogEntry) => void;
  /** In [0, 1). */
  readonly random: () => number;
}

export interface LogEntry {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly stack?: string;
  readonly run?: string;
  readonly outcome?: string;
}

/** Variables that name secrets of the worker itself. */
const ownSecrets = /^(?:GANTRY_(?:TOKEN|SECRET_KEY|SIGN_PASSPHRASE|RECONCILE_.*)|PG.*|.*_SECRET_KEY)$/;

/** The environment of a worker as the code of stacks may see it. `GANTRY_` variables that choose a stack are its own, too. */
export function stackEnvironment(environment: Environment): Environment {
  const chosen = /^GANTRY_(?:STACK|GVC|ENV|PROFILE|ENDPOINT|ORG|TOKEN_FILE)$/;
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !ownSecrets.test(name) && !chosen.test(name)),
  );
}

/** The session of a stack, in its folder. */
export function sessionOf(
  { environment, options, stackProcess }: WorkerSurroundings,
  entry: StackEntry,
  { folder, tell, interruptible }: { folder: string } & Pick<Session, 'tell' | 'interruptible'>,
): Session<PlatformOptions> {
  const { env, stack, gvc, org, endpoint, tokenFile } = entry;
  const { token, ...others } = options;
  const isElsewhere = endpoint !== undefined && endpoint !== options.endpoint;
  return {
    options: {
      ...others,
      // The token of the worker is for its own platform.
      ...(token === undefined || isElsewhere ? {} : { token }),
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(tokenFile === undefined ? {} : { tokenFile }),
      ...(env === undefined ? {} : { env }),
      ...(stack === undefined ? {} : { stack }),
      ...(gvc === undefined ? {} : { gvc }),
      ...(org === undefined ? {} : { org }),
    },
    environment,
    cwd: folder,
    stdin: nothing(),
    now: () => performance.now(),
    tell,
    ...(interruptible === undefined ? {} : { interruptible }),
    ...(stackProcess === undefined ? {} : { stackProcess }),
  };
}

async function* nothing(): AsyncGenerator<string> {}
