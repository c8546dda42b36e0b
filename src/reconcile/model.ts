import type { JsonObject } from '../base/json/json.ts';
import type { PlanDocument } from '../change/documents/planDocument.ts';
import type { Outcome } from '../integrations/notification.ts';
import type { CommitStatus, StatusForge } from '../integrations/statusForge.ts';
import type { Action } from '../plan/model/change.ts';
import type { TimeWindow } from '../plan/model/limits.ts';
import type { Permits } from '../plan/model/permits.ts';
import type { Risk } from '../schema/facts/risk.ts';

/**
 * The modes of a stack. `detect`: pending changes and drift are reported. `propose`: a plan waits for an approval.
 * `auto`: it is applied within the limits of its environment; what exceeds them waits.
 */
export const modes = ['detect', 'propose', 'auto'] as const;
export type Mode = (typeof modes)[number];

/** Where the code of a stack comes from. */
export type StackSource =
  /** Absolute. */
  { readonly kind: 'folder'; readonly path: string } | GitSource;

export interface GitSource {
  readonly kind: 'git';
  readonly url: string;
  /** `github.com/acme/infra`: the repository by whatever address, as webhooks name it. */
  readonly repository: string;
  /** `refs/heads/main`, `refs/tags/v1`, or `HEAD`: what the repository has as its default. */
  readonly ref: string;
  /** The folder of the stack in the repository. @default the whole repository */
  readonly path?: string;
  readonly credential?: CredentialReference;
  /** The file of the keys of which one has to have signed the commit; absolute. */
  readonly signers?: string;
  /** The variables of the worker that its code and its manifests see, beside those that every program needs. */
  readonly variables?: readonly string[];
  /** Its commits are told what becomes of stacks. */
  readonly statuses?: StatusSettings;
}

/** Where the forge of a repository takes statuses of commits, and with which token. */
export interface StatusSettings extends Pick<StatusForge, 'forge' | 'api'> {
  readonly token: SecretReference;
}

/** The status that the commit of a stack gets. */
export type CommitNews = Pick<CommitStatus, 'commit' | 'state' | 'description'>;

/** Where a secret is read from when it is needed: the environment of the worker, or a file of its machine (absolute). */
export type SecretReference = { readonly env: string } | { readonly file: string };

/** How git proves to a host who asks. */
export type CredentialReference =
  /** As `git config credential.helper` takes it. */
  | { readonly helper: string }
  /** Of https. @default user "git" */
  | { readonly token: SecretReference; readonly user?: string }
  /** Of ssh: the file of a private key; absolute. */
  | { readonly keyFile: string; readonly knownHosts?: string };

export interface Pause {
  readonly reason: string;
  /** Milliseconds since 1970. Absent: until somebody resumes it. */
  readonly untilMs?: number;
  /** Who paused it. Absent: `reconcile.yaml`. */
  readonly by?: string;
  /** Where `reconcile.yaml` says so. */
  readonly at?: string;
}

/** A pause as a person asks for it. The store computes its end by its own clock, because clocks of machines differ. */
export interface AskedPause extends Pick<Pause, 'reason' | 'by'> {
  /** Absent: until somebody resumes it. */
  readonly forMs?: number;
}

/** A stack as `reconcile.yaml` has it. */
export interface StackEntry {
  /** Unique in the file. */
  readonly name: string;
  readonly source: StackSource;
  readonly mode: Mode;
  readonly intervalMs: number;
  /** At most this is added to an interval, another amount each time. */
  readonly jitterMs: number;
  /** When something may be written; absent: always. It is planned at other times, too. */
  readonly windows?: readonly TimeWindow[];
  /** The stacks that are in line before this one is written. */
  readonly after: readonly string[];
  readonly paused?: Pause;
  /** As `--env`, `--stack`, `--gvc`, `--org`. */
  readonly env?: string;
  readonly stack?: string;
  readonly gvc?: string;
  readonly org?: string;
  /** Another platform than that of the worker, with the file of its token. */
  readonly endpoint?: string;
  readonly tokenFile?: string;
  /** The names of those who are told of it. Absent: all. */
  readonly notify?: readonly string[];
  /** As the options of `gantry apply` of the same name. */
  readonly permits?: Partial<Permits>;
}

export const stackStates = ['new', 'in line', 'drifted', 'waiting', 'failing', 'paused', 'running'] as const;
/**
 * `drifted`: the platform is not as the code says, and nothing is being done about it (mode `detect`, or outside of its
 * windows). `waiting`: for an approval, or for other stacks.
 */
export type StackStateName = (typeof stackStates)[number];

export interface StackState {
  readonly state: StackStateName;
  /** One sentence: why it waits, fails or is paused. */
  readonly because?: string;
  /** All times are milliseconds since 1970. */
  readonly sinceMs: number;
  readonly lastRunMs?: number;
  readonly lastSuccessMs?: number;
  readonly nextRunMs?: number;
  readonly pause?: Pause;
  /** The commit of the last run. */
  readonly commit?: string;
  /** Of the last plan: resources by action, how many of them others changed, the worst risk; absent: nothing is to be done. */
  readonly counts?: ChangeCounts;
  readonly drifted?: number;
  readonly worstRisk?: Risk;
  /** The name of the plan that waits. */
  readonly plan?: string;
  /** Failures in a row. */
  readonly failures: number;
}

/** The events of a stack that others are notified of, and when: each is an outcome of a notification. */
export const stackEvents = {
  waiting: 'a plan waits for an approval, or exceeds a limit',
  applied: 'a plan was applied',
  failed: 'a run failed, and the one before it did not',
  recovered: 'a run did not fail, and the one before it did',
  drift: 'others have changed resources: not the same ones as at the last look',
  superseded: 'a plan that waited does not wait any more',
  resumed: 'a pause has ended: at the first run after it',
} as const satisfies { readonly [event in Outcome]?: string };
export type StackEvent = keyof typeof stackEvents;

/** Who is told of events. */
export interface NotifyTarget {
  /** Unique in the file. */
  readonly name: string;
  /** Its address is a secret. */
  readonly to: SecretReference | { readonly url: string };
  /** The key that notifications to it are signed with. */
  readonly secret?: SecretReference;
  readonly events: readonly StackEvent[];
}

/** The state of the notifications to one of the targets. */
export interface TargetState {
  readonly name: string;
  readonly delivered: number;
  /** Those that were not taken within a day. */
  readonly lost: number;
  /** Those that are still to be delivered. */
  readonly waiting: number;
  /** The last attempt failed: since when attempts fail, and why the last one did. */
  readonly failing?: { readonly sinceMs: number; readonly because: string };
}

export type ChangeCounts = Readonly<Partial<Record<Action, number>>>;

/** How a run ended. `held`: it was not begun, because of other stacks. */
export const runOutcomes = ['in line', 'drifted', 'proposed', 'applied', 'partly', 'failed', 'held', 'lost'] as const;
/** `lost`: its worker was gone, and another one has taken over. */
export type RunOutcomeName = (typeof runOutcomes)[number];

export interface RunRecord {
  readonly id: string;
  readonly stack: string;
  /** The name of the worker. */
  readonly worker: string;
  /** Of the lease that it ran under: rises by one each time the stack is taken. */
  readonly fence: number;
  readonly startMs: number;
  /** Absent: it is running. */
  readonly endMs?: number;
  readonly outcome?: RunOutcomeName;
  readonly commit?: string;
  /** The name of the plan. */
  readonly plan?: string;
  readonly counts?: ChangeCounts;
  /** Requests sent to the platform. */
  readonly requests?: number;
  /** The storage that the stack reserved when the run had ended. Absent where nothing was planned. */
  readonly storage?: Storage;
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string };
  readonly log: readonly LogLine[];
  /** The plan as a report shows it, with its result where it was applied. Absent where nothing was planned. */
  readonly document?: PlanDocument;
}

/** Storage, and what it costs a month; without a cost where the price is not known. */
export interface Storage {
  readonly gb: number;
  readonly cost?: number;
  readonly currency?: string;
}

export interface StoragePoint extends Storage {
  readonly atMs: number;
}

export interface LogLine {
  readonly atMs: number;
  readonly text: string;
}

/** The inputs of a plan, each as a digest: they tell which of them changed. */
export interface PlanInputs {
  /** Of the repository; `none` for a folder, where `declared` and `policies` tell of all that counts. */
  readonly commit: string;
  /** The declarations of the code, with values from outside. */
  readonly declared: string;
  readonly settings: string;
  readonly policies: string;
  /** The version of each live record that it was planned from, by resource id. */
  readonly live: Readonly<Record<string, string>>;
}

/** `read` sees everything, `approve` also acts: approves plans, pauses, resumes, starts runs. */
export const roles = ['read', 'approve'] as const;
export type Role = (typeof roles)[number];

export interface GivenApproval {
  /** Who: the name of the token or of the person signed in, or the fingerprint of a key. */
  readonly by: string;
  /** Of a person who has signed in: the issuer and its subject, which stay the same under another name. */
  readonly person?: string;
  readonly atMs: number;
  /** The signature (a line of the file of signatures), where it was given with a key. */
  readonly signature?: string;
}

/** A plan that waits for approvals. */
export interface WaitingPlan {
  /** The digest of `inputs` and of the plan itself. */
  readonly name: string;
  readonly stack: string;
  readonly madeMs: number;
  readonly inputs: PlanInputs;
  readonly document: PlanDocument;
  readonly approvals: {
    readonly needed: number;
    /** Only those that are signed with a key count: limits, or `signers`, ask for them. */
    readonly signed: boolean;
    readonly given: readonly GivenApproval[];
  };
  /** Why no approval helps: a limit of the environment. */
  readonly blocked?: string;
  /** Another plan has taken its place, or nothing is to be done any more: which inputs changed. Its approvals are void. */
  readonly superseded?: { readonly atMs: number; readonly by?: string; readonly because: string };
}

export interface StackSummary {
  readonly entry: StackEntry;
  readonly state: StackState;
}

/** Something about a stack changed: ask again. */
export interface BoardChange {
  readonly stack: string;
}

/** All that people and programs see and do; who may do what is decided before it is called. */
export interface Board {
  /** By name. */
  list(): Promise<readonly StackSummary[]>;
  read(stack: string): Promise<StackSummary | undefined>;
  /** The newest first, without `document` and `log`. @default the last 50 */
  runs(stack: string, page?: { readonly beforeMs?: number; readonly most?: number }): Promise<readonly RunRecord[]>;
  run(id: string): Promise<RunRecord | undefined>;
  /** Its storage as runs found it, the oldest first: each time that it changed, and the last time. */
  storage(stack: string): Promise<readonly StoragePoint[]>;
  /** The newest first: the one that waits, and those before it. */
  plans(stack: string): Promise<readonly WaitingPlan[]>;
  /** The one that waits. */
  waiting(stack: string): Promise<WaitingPlan | undefined>;
  /** The saved plan as `gantry approve` takes it, with the signatures of who planned it and approved it, one a line. */
  planFile(stack: string, plan: string): Promise<{ readonly file: string; readonly signatures: string }>;
  /**
   * Errors: `reconcile.superseded`, `reconcile.approved` (by the same person), `reconcile.blocked`,
   * `reconcile.signature` (it has to be signed with a key), `reconcile.unknown`.
   */
  approve(stack: string, plan: string, by: Omit<GivenApproval, 'atMs'>): Promise<WaitingPlan>;
  pause(stack: string, pause: AskedPause): Promise<void>;
  /** Errors: `reconcile.paused`, where `reconcile.yaml` pauses it, too. */
  resume(stack: string, by: string): Promise<void>;
  /** It runs as soon as a worker is free, whatever its interval. A paused one stays so. */
  now(stack: string, by: string): Promise<void>;
  /** Runs, requests and the queue, for metrics and plots. */
  figures(): Promise<BoardFigures>;
  /** The runs that ended since then, the oldest first. */
  ended(sinceMs: number): Promise<readonly EndedRun[]>;
  /** The states of notifications, by target. */
  targets(): Promise<readonly TargetState[]>;
  /** Called after each change, on any worker. Returns what ends it. */
  subscribe(listener: (change: BoardChange) => void): () => void;
}

export interface BoardFigures {
  /** Jobs that wait for a worker, and those that are worked on. */
  readonly queued: number;
  readonly active: number;
  /** Of all workers since the store was made. */
  readonly requests: number;
  /** How many runs ended within the last day, by the hour (when it began) and the outcome; the oldest hour first. */
  readonly hours: readonly { readonly atMs: number; readonly outcome: RunOutcomeName; readonly runs: number }[];
}

export interface EndedRun extends Pick<RunRecord, 'id' | 'startMs'> {
  readonly endMs: number;
  readonly outcome: RunOutcomeName;
}

/** The code of a stack on this machine, until it is disposed of. */
export interface FetchedStack {
  /** Absolute: the folder with `gantry.yaml`. */
  readonly folder: string;
  readonly commit?: string;
  /** Of a repository: the folder with all of its files, absolute. What its code may read (`StackBounds.confinedTo`). */
  readonly root?: string;
  dispose(): Promise<void>;
}

/** Errors: of git, of the folder. */
export type FetchStack = (entry: StackEntry, signal: AbortSignal) => Promise<FetchedStack>;

/**
 * The contents of `reconcile.yaml`, read each time it is asked for: the file may be in a repository, and is followed.
 */
export interface ReconcileConfig {
  /** The name of the list, else where it is: the file that is followed in its repository, or the absolute path of `reconcile.yaml`. */
  readonly origin: string;
  /** The folder of a list with a name: each of its workers may have it elsewhere, so the store keeps paths from there. */
  readonly base?: string;
  readonly stacks: readonly StackEntry[];
  /** Requests a second to one endpoint, of all workers together. Absent: no limit but that of the platform. */
  readonly requestsPerSecond?: number;
  /** How long runs are kept. @default 30 days */
  readonly keepRunsMs?: number;
  readonly webhooks: WebhookSecrets;
  /** Who is told of events. @default nobody */
  readonly notify?: readonly NotifyTarget[];
  /** Where browsers reach the page: its origin. */
  readonly url?: string;
  /** How people sign in to the page. Absent: by tokens alone. */
  readonly signIn?: SignInSettings;
  /** The variables that the file reads secrets from, used or not. @default none */
  readonly secretVariables?: readonly string[];
  /** The repository that the file itself is followed in. */
  readonly followed?: GitSource;
  /** The orgs that stacks of a file that is followed may be in. @default that of the worker, else all */
  readonly orgs?: readonly string[];
}

/** Signing in by OpenID Connect, and which role it gives. */
export interface SignInSettings {
  /** As it calls itself. */
  readonly issuer: string;
  readonly clientId: string;
  /** Absent: a client without a secret. */
  readonly clientSecret?: SecretReference;
  /** The origin at which browsers reach the page. Absent: the address at which it is served, on loopback. */
  readonly url?: string;
  readonly scopes: readonly string[];
  /** The claim that a person is called by. Absent: the e-mail address, if the issuer has verified it, else the subject. */
  readonly name?: string;
  /** In lower case. Without a verified e-mail address in one of them a person has no role. Absent: in any, or without one. */
  readonly domains?: readonly string[];
  readonly roles: { readonly approve: RoleRule; readonly read: RoleRule | 'all' };
  readonly sessionMs: number;
}

/** Claims, and which of their values give a role. */
export type RoleRule = ReadonlyMap<string, readonly string[]>;

/** The stored facts of a person who has signed in: no token. */
export interface SignedIn {
  readonly issuer: string;
  readonly clientId: string;
  readonly subject: string;
  /** Those that the settings asked for then. */
  readonly claims: JsonObject;
}

export const webhookForms = ['github', 'gitlab', 'standard'] as const;
/** Where the secrets of webhooks are read from; none: no webhook of this form is taken. Several: one is being replaced. */
export type WebhookSecrets = Readonly<Record<(typeof webhookForms)[number], readonly SecretReference[]>>;

export type ReadConfig = (signal: AbortSignal) => Promise<ReconcileConfig>;
