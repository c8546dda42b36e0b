import type { JsonObject } from '../base/json/json.ts';
import type { PlanDocument } from '../change/documents/planDocument.ts';
import type { Outcome } from '../integrations/notification.ts';
import type { CommitStatus, StatusForge } from '../integrations/statusForge.ts';
import type { Action } from '../plan/model/change.ts';
import type { TimeWindow } from '../plan/model/limits.ts';
import type { Permits } from '../plan/model/permits.ts';
import type { Risk } from '../schema/facts/risk.ts';

/**
 * The modes of a stack. `detect`: pending changes and drift are reported. `propose`: a plan waits for approval. `auto`:
 * a plan is applied within the limits of its environment; one that exceeds them waits.
 */
export const modes = ['detect', 'propose', 'auto'] as const;
export type Mode = (typeof modes)[number];

/** The source of a stack's code. */
export type StackSource =
  /** Absolute. */
  { readonly kind: 'folder'; readonly path: string } | GitSource;

export interface GitSource {
  readonly kind: 'git';
  readonly url: string;
  /** `github.com/acme/infra`: the repository under any address, as webhooks name it. */
  readonly repository: string;
  /** `refs/heads/main`, `refs/tags/v1`, or `HEAD` for the repository's default. */
  readonly ref: string;
  /** The folder of the stack in the repository. @default the whole repository */
  readonly path?: string;
  readonly credential?: CredentialReference;
  /** The file of keys; one of them must have signed the commit. Absolute. */
  readonly signers?: string;
  /** The worker's variables that its code and manifests see, besides those that every program needs. */
  readonly variables?: readonly string[];
  /** Whether and where its commits get statuses. */
  readonly statuses?: StatusSettings;
}

/** The forge's API for commit statuses, with its token. */
export interface StatusSettings extends Pick<StatusForge, 'forge' | 'api'> {
  readonly token: SecretReference;
}

/** The status that the commit of a stack gets. */
export type CommitNews = Pick<CommitStatus, 'commit' | 'state' | 'description'>;

/** The source of a secret, read when needed: the environment of the worker, or a file on its machine (absolute). */
export type SecretReference = { readonly env: string } | { readonly file: string };

/** The credentials of git for a host. */
export type CredentialReference =
  /** In the form of `git config credential.helper`. */
  | { readonly helper: string; readonly user?: string }
  /** For https. @default user "git" */
  | { readonly token: SecretReference; readonly user?: string }
  /** For ssh: the file of a private key; absolute. */
  | { readonly keyFile: string; readonly knownHosts?: string };

export interface Pause {
  readonly reason: string;
  /** Milliseconds since 1970. Absent: until a user resumes it. */
  readonly untilMs?: number;
  /** The user who paused it. Absent: `reconcile.yaml`. */
  readonly by?: string;
  /** The position in `reconcile.yaml`. */
  readonly at?: string;
}

/** A pause requested by a user. The store computes its end by its own clock, because clocks of machines differ. */
export interface AskedPause extends Pick<Pause, 'reason' | 'by'> {
  /** Absent: until a user resumes it. */
  readonly forMs?: number;
}

/** A stack of `reconcile.yaml`. */
export interface StackEntry {
  /** Unique in the file. */
  readonly name: string;
  readonly source: StackSource;
  readonly mode: Mode;
  readonly intervalMs: number;
  /** Limit of the random time added to each interval. */
  readonly jitterMs: number;
  /** The times when writes are permitted; absent: always. Planning also happens at other times. */
  readonly windows?: readonly TimeWindow[];
  /** The stacks that must be in line before this one is written. */
  readonly after: readonly string[];
  readonly paused?: Pause;
  /** Like `--env`, `--stack`, `--gvc`, `--org`. */
  readonly env?: string;
  readonly stack?: string;
  readonly gvc?: string;
  readonly org?: string;
  /** Another platform than the worker's, with the file of its token. */
  readonly endpoint?: string;
  readonly tokenFile?: string;
  /** The names of the targets to notify. Absent: all. */
  readonly notify?: readonly string[];
  /** Like the options of `gantry apply` with these names. */
  readonly permits?: Partial<Permits>;
}

export const stackStates = ['new', 'in line', 'drifted', 'waiting', 'failing', 'paused', 'running'] as const;
/**
 * `drifted`: the platform differs from the code, and nothing is being done about it (mode `detect`, or outside of its
 * windows). `waiting`: for an approval, or for other stacks.
 */
export type StackStateName = (typeof stackStates)[number];

export interface StackState {
  readonly state: StackStateName;
  /** One sentence with the reason for waiting, failing or pausing. */
  readonly because?: string;
  /** All times are milliseconds since 1970. */
  readonly sinceMs: number;
  readonly lastRunMs?: number;
  readonly lastSuccessMs?: number;
  readonly nextRunMs?: number;
  readonly pause?: Pause;
  /** The commit of the last run. */
  readonly commit?: string;
  /**
   * For the last plan: resources by action, how many of them others changed, and the worst risk; absent if nothing is
   * to be done.
   */
  readonly counts?: ChangeCounts;
  readonly drifted?: number;
  readonly worstRisk?: Risk;
  /** The name of the waiting plan. */
  readonly plan?: string;
  /** Failures in a row. */
  readonly failures: number;
}

/** The events of a stack, with descriptions: each is a possible notification. */
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

/** A target of notifications. */
export interface NotifyTarget {
  /** Unique in the file. */
  readonly name: string;
  /** The address is a secret. */
  readonly to: SecretReference | { readonly url: string };
  /** The key that signs notifications to it. */
  readonly secret?: SecretReference;
  readonly events: readonly StackEvent[];
}

/** The state of notifications to one target. */
export interface TargetState {
  readonly name: string;
  readonly delivered: number;
  /** Notifications that were not accepted within a day. */
  readonly lost: number;
  /** Notifications still to be delivered. */
  readonly waiting: number;
  /** If the last attempt failed: the time since when attempts fail, and the reason of the last one. */
  readonly failing?: { readonly sinceMs: number; readonly because: string };
}

export type ChangeCounts = Readonly<Partial<Record<Action, number>>>;

/** The outcomes of a run. `held`: not begun, because of other stacks. */
export const runOutcomes = ['in line', 'drifted', 'proposed', 'applied', 'partly', 'failed', 'held', 'lost'] as const;
/** `lost`: its worker disappeared, and another one has taken over. */
export type RunOutcomeName = (typeof runOutcomes)[number];

export interface RunRecord {
  readonly id: string;
  readonly stack: string;
  /** The name of the worker. */
  readonly worker: string;
  /** The number of its lease, which rises by one each time the stack is taken. */
  readonly fence: number;
  readonly startMs: number;
  /** Absent while it is running. */
  readonly endMs?: number;
  readonly outcome?: RunOutcomeName;
  readonly commit?: string;
  /** The name of the plan. */
  readonly plan?: string;
  readonly counts?: ChangeCounts;
  /** Requests sent to the platform. */
  readonly requests?: number;
  /** The storage that the stack reserved at the end of the run. Absent if nothing was planned. */
  readonly storage?: Storage;
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string };
  readonly log: readonly LogLine[];
  /** The plan for reports, with its result if it was applied. Absent if nothing was planned. */
  readonly document?: PlanDocument;
}

/** Storage with its monthly cost, if the price is known. */
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

/** Digests of a plan's inputs, which show which of them changed. */
export interface PlanInputs {
  /** The commit of the repository; `none` for a folder, where `declared` and `policies` cover everything. */
  readonly commit: string;
  /** The declarations of the code, including values from outside. */
  readonly declared: string;
  readonly settings: string;
  readonly policies: string;
  /** The version of each live record at planning, by resource id. */
  readonly live: Readonly<Record<string, string>>;
}

/** `read` sees everything; `approve` also acts: approves plans, pauses, resumes, starts runs. */
export const roles = ['read', 'approve'] as const;
export type Role = (typeof roles)[number];

export interface GivenApproval {
  /** The name of the token or of the signed-in person, or the fingerprint of a key. */
  readonly by: string;
  /** For a signed-in person: the issuer and its subject, which stay the same under another name. */
  readonly person?: string;
  readonly atMs: number;
  /** The signature (a line of the signatures file), if it was given with a key. */
  readonly signature?: string;
  /** Of a plan that waits for signatures: why this one does not count any more. */
  readonly uncounted?: string;
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
    /** Whether only approvals signed with a key count, as limits or `signers` demand. */
    readonly signed: boolean;
    readonly given: readonly GivenApproval[];
  };
  /** The reason why approvals do not help: a limit of the environment. */
  readonly blocked?: string;
  /**
   * The inputs that changed, if another plan has replaced it or nothing is to be done any more. Its approvals are void.
   */
  readonly superseded?: { readonly atMs: number; readonly by?: string; readonly because: string };
}

export interface StackSummary {
  readonly entry: StackEntry;
  readonly state: StackState;
}

/** A notice that a stack has changed; readers fetch it again. */
export interface BoardChange {
  readonly stack: string;
}

/** Everything that users and programs see and do; permissions are checked before. */
export interface Board {
  /** Sorted by name. */
  list(): Promise<readonly StackSummary[]>;
  read(stack: string): Promise<StackSummary | undefined>;
  /** Newest first, without `document` and `log`. @default the last 50 */
  runs(stack: string, page?: { readonly beforeMs?: number; readonly most?: number }): Promise<readonly RunRecord[]>;
  run(id: string): Promise<RunRecord | undefined>;
  /** Its storage after runs, oldest first: each change, and the last value. */
  storage(stack: string): Promise<readonly StoragePoint[]>;
  /** Newest first: the waiting plan, then earlier ones. */
  plans(stack: string): Promise<readonly WaitingPlan[]>;
  /** The waiting plan. */
  waiting(stack: string): Promise<WaitingPlan | undefined>;
  /** The saved plan for `gantry approve`, with the signatures of its planner and approvers, one per line. */
  planFile(stack: string, plan: string): Promise<{ readonly file: string; readonly signatures: string }>;
  /**
   * Errors: `reconcile.superseded`, `reconcile.approved` (by the same person), `reconcile.blocked`,
   * `reconcile.signature` (it must be signed with a key), `reconcile.unknown`.
   */
  approve(stack: string, plan: string, by: Omit<GivenApproval, 'atMs'>): Promise<WaitingPlan>;
  pause(stack: string, pause: AskedPause): Promise<void>;
  /** Errors: `reconcile.paused`, if `reconcile.yaml` also pauses it. */
  resume(stack: string, by: string): Promise<void>;
  /** Runs the stack as soon as a worker is free, regardless of its interval. A paused one stays paused. */
  now(stack: string, by: string): Promise<void>;
  /** Runs, requests and the queue, for metrics and plots. */
  figures(): Promise<BoardFigures>;
  /** The runs that ended since then, oldest first. */
  ended(sinceMs: number): Promise<readonly EndedRun[]>;
  /** The states of notifications, by target. */
  targets(): Promise<readonly TargetState[]>;
  /** The listener is called after each change on any worker. Returns a function that ends this. */
  subscribe(listener: (change: BoardChange) => void): () => void;
}

export interface BoardFigures {
  /** Jobs waiting for a worker; `active`: jobs in progress. */
  readonly queued: number;
  readonly active: number;
  /** Of all workers since the creation of the store. */
  readonly requests: number;
  /** The number of runs that ended within the last day, by hour (its start) and outcome; oldest hour first. */
  readonly hours: readonly { readonly atMs: number; readonly outcome: RunOutcomeName; readonly runs: number }[];
}

export interface EndedRun extends Pick<RunRecord, 'id' | 'startMs'> {
  readonly endMs: number;
  readonly outcome: RunOutcomeName;
}

/** The code of a stack on this machine, until disposal. */
export interface FetchedStack {
  /** Absolute: the folder with `gantry.yaml`. */
  readonly folder: string;
  readonly commit?: string;
  /** For a repository: the folder with all its files, absolute, which its code may read (`StackBounds.confinedTo`). */
  readonly root?: string;
  dispose(): Promise<void>;
}

/** Errors: those of git and of the folder. */
export type FetchStack = (entry: StackEntry, signal: AbortSignal) => Promise<FetchedStack>;

/** The contents of `reconcile.yaml`, read on each call, because the file may be followed in a repository. */
export interface ReconcileConfig {
  /**
   * The name of the list, or else its place: the followed file in its repository, or the absolute path of
   * `reconcile.yaml`.
   */
  readonly origin: string;
  /** The folder of a named list. Workers may have it in different places, so the store keeps relative paths. */
  readonly base?: string;
  readonly stacks: readonly StackEntry[];
  /** Requests per second to one endpoint from all workers together. Absent: only the platform's limit. */
  readonly requestsPerSecond?: number;
  /** How long runs are kept. @default 30 days */
  readonly keepRunsMs?: number;
  readonly webhooks: WebhookSecrets;
  /** The targets of events. @default none */
  readonly notify?: readonly NotifyTarget[];
  /** The origin of the page for browsers. */
  readonly url?: string;
  /** The sign-in to the page. Absent: only tokens. */
  readonly signIn?: SignInSettings;
  /** The variables that the file names for secrets, used or not. @default none */
  readonly secretVariables?: readonly string[];
  /** The repository in which the file itself is followed. */
  readonly followed?: GitSource;
  /** The permitted orgs of stacks in a followed file. @default that of the worker, else all */
  readonly orgs?: readonly string[];
}

/** Sign-in by OpenID Connect, and the roles that it gives. */
export interface SignInSettings {
  /** The issuer's own identifier. */
  readonly issuer: string;
  readonly clientId: string;
  /** Absent: a client without a secret. */
  readonly clientSecret?: SecretReference;
  /** The origin of the page for browsers. Absent: the address at which it is served, on loopback. */
  readonly url?: string;
  readonly scopes: readonly string[];
  /**
   * The claim with a person's displayed name. Absent: the e-mail address, if the issuer has verified it, else the
   * subject.
   */
  readonly name?: string;
  /** In lower case. A person without a verified e-mail address in one of them has no role. Absent: no restriction. */
  readonly domains?: readonly string[];
  readonly roles: { readonly approve: RoleRule; readonly read: RoleRule | 'all' };
  readonly sessionMs: number;
}

/** Claims with the values that give a role. */
export type RoleRule = ReadonlyMap<string, readonly string[]>;

/** The stored facts about a signed-in person, without tokens. */
export interface SignedIn {
  readonly issuer: string;
  readonly clientId: string;
  readonly subject: string;
  /** The claims required by the settings at sign-in. */
  readonly claims: JsonObject;
}

export const webhookForms = ['github', 'gitlab', 'standard'] as const;
/** The sources of webhook secrets; without any, no webhook of this form is accepted. Several allow a replacement. */
export type WebhookSecrets = Readonly<Record<(typeof webhookForms)[number], readonly SecretReference[]>>;

export type ReadConfig = (signal: AbortSignal) => Promise<ReconcileConfig>;
