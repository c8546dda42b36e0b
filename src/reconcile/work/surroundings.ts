import { present } from '../../base/json/present.ts';
import type { Trace } from '../../integrations/openTracing.ts';
import type { PlatformHost, PlatformOptions } from '../../project/platform/platform.ts';
import type { Environment, Session, StackBounds } from '../../project/session/session.ts';
import { openProject, type Project } from '../../project/settings/project.ts';
import type { Signing } from '../../signing/signPlan.ts';
import type { FetchedStack, FetchStack, GitSource, ReadConfig, StackEntry } from '../model.ts';
import type { Store } from '../store/store.ts';
import type { Messenger } from './telling.ts';

/** Everything that a worker works with. */
export interface WorkerSurroundings {
  readonly store: Store;
  /** Unique among the workers of the store: what a restarted one calls itself is another name. */
  readonly name: string;
  readonly readConfig: ReadConfig;
  readonly fetchStack: FetchStack;
  /**
   * The variables that code and manifests of stacks may see: without tokens and keys of the worker
   * (`stackEnvironment`).
   */
  readonly environment: Environment;
  /** Those that `reconcile.yaml` reads secrets from: code and manifests of folders do not see them. */
  readonly secretVariables?: readonly string[];
  /** Of the profile of the worker that nobody named: it counts where a stack says none. */
  readonly usualOrg?: string | undefined;
  /** The orgs that stacks may be in. @default all */
  readonly orgs?: readonly string[] | undefined;
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
  /** Of the process in which a stack runs. @default `stackBounds` */
  readonly bounds?: Omit<StackBounds, 'confinedTo'>;
  /** At most this long one run of a stack takes. */
  readonly mostRunMs: number;
  /** One structured line of the log. */
  readonly log: (line: LogEntry) => void;
  /** Absent: nobody collects traces. Else each run is one. */
  readonly traces?: Pick<Trace, 'begin'>;
  /** Absent: nobody is told anything. */
  readonly messenger?: Messenger;
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
const ownSecrets = /^(?:GANTRY_(?:TOKEN|SECRET_KEY|SIGN_PASSPHRASE|RECONCILE_.*|NOTIFY.*)|OTEL_.*|PG.*|.*_SECRET_KEY)$/;

/** The environment of a worker as the code of stacks may see it. `GANTRY_` variables that choose a stack are its own, too. */
export function stackEnvironment(environment: Environment): Environment {
  const chosen = /^GANTRY_(?:STACK|GVC|ENV|PROFILE|ENDPOINT|ORG|TOKEN_FILE)$/;
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !ownSecrets.test(name) && !chosen.test(name)),
  );
}

/** The variables that programs need to run, and that hold for every project. */
const usualVariables = [
  'PATH',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'NO_COLOR',
  'GANTRY_POLICIES',
  'GANTRY_CONSISTENCY_TIMEOUT',
];

/** The variables that the code of a repository sees: who may push to it is not who may log in here. */
function foreignEnvironment(environment: Environment, { variables = [] }: GitSource): Environment {
  const seen = [...usualVariables, ...variables].filter((name) => environment[name] !== undefined);
  // Profiles are of a user, and this one has none.
  return { ...Object.fromEntries(seen.map((name) => [name, environment[name]])), HOME: '/nonexistent' };
}

function without(environment: Environment, names: readonly string[]): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.includes(name)));
}

/** Decisions of ours: far beyond a stack, far below a machine. */
const stackBounds = { mostMs: 60_000, mostMegabytes: 1_024 };

/** The session of a stack, in its folder. */
export function sessionOf(
  {
    environment,
    secretVariables = [],
    options,
    bounds = stackBounds,
  }: Pick<WorkerSurroundings, 'secretVariables' | 'environment' | 'options' | 'bounds'>,
  entry: StackEntry,
  {
    folder,
    root,
    tell,
    tracing,
    interruptible,
  }: Pick<FetchedStack, 'folder' | 'root'> & Pick<Session, 'tell' | 'tracing' | 'interruptible'>,
): Session<PlatformOptions> {
  const { source } = entry;
  const { env, stack, gvc, org, endpoint, tokenFile } = entry;
  const { token, ...others } = options;
  const isElsewhere = endpoint !== undefined && endpoint !== options.endpoint;
  // A repository does not say where the token goes.
  const isAnywhere = source.kind === 'git' && !options.embedded && (endpoint ?? options.endpoint) === undefined;
  return {
    options: {
      ...others,
      // The token of the worker is for its own platform.
      ...(token === undefined || isElsewhere || isAnywhere ? {} : { token }),
      ...present({ endpoint, tokenFile, env, stack, gvc, org }),
      ...(source.kind === 'git' ? { foreign: root ?? folder } : {}),
    },
    environment:
      source.kind === 'git' ? foreignEnvironment(environment, source) : without(environment, secretVariables),
    cwd: folder,
    stdin: nothing(),
    now: () => performance.now(),
    tell,
    ...present({ tracing, interruptible }),
    stackProcess: {
      argv: [],
      nodeOptions: [],
      bounds: { ...bounds, ...present({ confinedTo: root }) },
    },
  };
}

/** The settings of a stack, in the session of it. */
export async function projectOf(
  session: Session,
  { usualOrg }: Pick<WorkerSurroundings, 'usualOrg'>,
): Promise<Project> {
  const project = await openProject(session, ['.']);
  const org = project.settings.org ?? usualOrg;
  return org === undefined ? project : { ...project, settings: { ...project.settings, org } };
}

async function* nothing(): AsyncGenerator<string> {}
