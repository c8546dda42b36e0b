import { compact, present } from '../../base/json/present.ts';
import { asHidden } from '../../client/hiddenTexts.ts';
import type { Trace } from '../../integrations/openTracing.ts';
import type { PlatformHost, PlatformOptions } from '../../project/platform/platform.ts';
import type { Environment, Session, StackBounds } from '../../project/session/session.ts';
import { openProject, type Project } from '../../project/settings/project.ts';
import type { Signing } from '../../signing/signPlan.ts';
import type { FetchedStack, FetchStack, GitSource, ReadConfig, StackEntry } from '../model.ts';
import type { Store } from '../store/store.ts';
import type { Messenger } from './notifier.ts';

/** The resources and options of a worker. */
export interface WorkerSurroundings {
  readonly store: Store;
  /** Unique among the workers of the store: a restarted one has a new name. */
  readonly name: string;
  readonly readConfig: ReadConfig;
  readonly fetchStack: FetchStack;
  /**
   * The variables that code and manifests of stacks may see: without tokens and keys of the worker
   * (`stackEnvironment`).
   */
  readonly environment: Environment;
  /** The variables from which `reconcile.yaml` reads secrets: code and manifests of folders do not see them. */
  readonly secretVariables?: readonly string[];
  /** From the worker's default profile: used for stacks without an org. */
  readonly usualOrg?: string | undefined;
  /** The permitted orgs of stacks. @default all */
  readonly orgs?: readonly string[] | undefined;
  /** The platform of the worker, with its token. */
  readonly options: Pick<
    PlatformOptions,
    'endpoint' | 'token' | 'org' | 'insecure' | 'embedded' | 'data' | 'dialect' | 'bounds'
  >;
  /** An embedded platform, shared by all stacks. */
  readonly host?: PlatformHost;
  /** The key that signs waiting plans. */
  readonly signing?: Signing;
  /** Limit of concurrent stacks. */
  readonly concurrency: number;
  /** Limits of a stack's process. @default `stackBounds` */
  readonly bounds?: Omit<StackBounds, 'confinedTo'>;
  /** Limit for one run of a stack. */
  readonly mostRunMs: number;
  /** One structured line of the log. */
  readonly log: (line: LogEntry) => void;
  /** Absent without a collector of traces. Otherwise each run is a trace. */
  readonly traces?: Pick<Trace, 'begin'>;
  /** Absent without notifications. */
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

/** Variables with secrets of the worker. */
const ownSecrets = /^(?:GANTRY_(?:TOKEN|SECRET_KEY|SIGN_PASSPHRASE|RECONCILE_.*|NOTIFY.*)|OTEL_.*|PG.*|.*_SECRET_KEY)$/;

/**
 * The worker's environment as visible to code of stacks: without secrets of the worker, and without `GANTRY_` variables
 * that choose a stack.
 */
export function stackEnvironment(environment: Environment): Environment {
  const chosen = /^GANTRY_(?:STACK|GVC|ENV|PROFILE|ENDPOINT|ORG|TOKEN_FILE)$/;
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !ownSecrets.test(name) && !chosen.test(name)),
  );
}

/** The variables that programs need, valid for every project. */
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

/** The variables that code of a repository sees: people who may push to it may not log in here. */
function foreignEnvironment(environment: Environment, { variables = [] }: GitSource): Environment {
  const seen = [...usualVariables, ...variables].filter((name) => environment[name] !== undefined);
  // Profiles belong to a user, and this code has none.
  return { ...Object.fromEntries(seen.map((name) => [name, environment[name]])), HOME: '/nonexistent' };
}

const secretName = /pass|secret|token|credential|(?:^|_)key(?:_|$)/i;
const pathName = /_(?:FILE|PATH|DIR)$/i;

/**
 * The values that messages of code must not show, of the variables that it sees: those with names of secrets, and until
 * its declarations say what is secret, all that its repository may see.
 */
export function hiddenVariables(environment: Environment, source?: StackEntry['source']): readonly string[] {
  const named = Object.keys(environment).filter((name) => secretName.test(name) && !pathName.test(name));
  const { variables = [] } = source?.kind === 'git' ? source : {};
  return asHidden(compact([...named, ...variables], (name) => environment[name]));
}

function without(environment: Environment, names: readonly string[]): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.includes(name)));
}

/** Far more than a stack needs, far less than a machine has. Our own decision. */
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
  // A repository must not choose where the token is sent.
  const isAnywhere = source.kind === 'git' && !options.embedded && (endpoint ?? options.endpoint) === undefined;
  return {
    options: {
      ...others,
      // The worker's token is only for its own platform.
      ...present({ token: token === undefined || isElsewhere || isAnywhere ? undefined : token }),
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

export async function projectOf(
  session: Session,
  { usualOrg }: Pick<WorkerSurroundings, 'usualOrg'>,
): Promise<Project> {
  const project = await openProject(session, ['.']);
  const org = project.settings.org ?? usualOrg;
  return org === undefined ? project : { ...project, settings: { ...project.settings, org } };
}

async function* nothing(): AsyncGenerator<string> {}
