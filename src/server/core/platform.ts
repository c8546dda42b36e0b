import type { JsonObject } from '../../base/json/json.ts';
import type { Validators } from '../../kinds/validators.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import type { FaultPlan } from '../http/faultPlan.ts';
import type { AnswerForm } from '../records/decisions/shownRecord.ts';
import type { Database, Dump, Loaded, Row, Store, Transaction, View } from '../store/model/row.ts';
import type { Seal } from '../store/model/seal.ts';
import type { Clock } from './clock.ts';
import type { ShownTexts } from './shownTexts.ts';

/** Behavior that the platform's documentation leaves open, or that is only simulated. */
export interface Settings {
  /** The time until a new version of a workload runs. */
  readonly readyAfterMs: number;
  /** The time for which deleted records are still shown. */
  readonly deletionDelayMs: number;
  /** Whether rules that may be stricter than the service only warn. */
  readonly lenient: boolean;
  /** `existing`: existing problems of a record do not block its changes. */
  readonly tolerate?: 'existing';
  /** How shown records differ from stored ones; empty if they do not. */
  readonly answers: ReadonlySet<AnswerForm>;
  /** The seed of all simulated behavior. */
  readonly seed: string;
  /** Whether to serve the local-only endpoints. */
  readonly dev: boolean;
  /** Whether a new domain needs a proof of ownership (platform/errors.statuses). */
  readonly proveOwnership: boolean;
  /** The number of expansions by command of one volume in 24 hours; no limit if absent. */
  readonly expandLimit?: number;
  /** The duration of each stage of a command on a volume (platform/commands). */
  readonly commandStageMs: number;
  /** Whether tokens are not checked. */
  readonly noAuth: boolean;
}

/** One org, as routes see it, with injected time, ids and randomness. */
export interface Platform {
  readonly service: Service;
  readonly store: Store;
  readonly org: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Returns unguessable lower-case letters and digits of this length. */
  readonly randomText: (length: number) => string;
  /** Returns a digest of a key, to store instead of the key. */
  readonly digest: (text: string) => string;
  readonly base64url: (text: string) => string;
  /** Accepts any text: invalid input returns arbitrary text, never an error. */
  readonly textOfBase64url: (text: string) => string;
  readonly settings: Settings;
  /** Encrypts values that must be unreadable in the database: `hidden` of a row. */
  readonly seal: Seal;
  readonly validatorsOf: (kind: Kind) => Promise<Validators>;
  readonly texts: ShownTexts;
}

/** The server as a whole. */
export interface Service {
  readonly database: Database;
  /** The org that the server was started with. */
  readonly home: string;
  /** Resolves to undefined if the org does not exist. */
  readonly of: (org: string) => Promise<Platform | undefined>;
  /**
   * Creates an org with its built-in records, and runs `afterInsert` in the same transaction; false if the org already exists.
   */
  readonly createOrg: (
    record: JsonObject & { readonly name: string },
    afterInsert: (tx: Transaction, org: Row) => void,
  ) => Promise<boolean>;
  readonly clock: Clock;
  /** Runs all jobs due by then, in order; returns the number of jobs. Only with a virtual clock. */
  readonly stepTo: (untilMs: number) => Promise<number>;
  readonly faults: FaultPlan;
  /** The metrics in the text format of Prometheus; absent if metrics are off. */
  readonly metrics?: () => Promise<string>;
  /** The state at one moment, with secret values in the clear or omitted. */
  readonly view: (withSecrets: boolean) => Promise<View>;
  /** Replaces the whole state once all of it has arrived; until then the old state is served. */
  readonly replace: (content: AsyncIterable<readonly Loaded[]>) => Promise<void>;
  /** Replaces the whole state immediately. */
  readonly load: (dump: Dump) => Promise<void>;
}
