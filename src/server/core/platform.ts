import type { JsonObject } from '../../base/json/json.ts';
import type { Validators } from '../../kinds/validators.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import type { FaultPlan } from '../http/faultPlan.ts';
import type { AnswerForm } from '../records/decisions/shownRecord.ts';
import type { Database, Dump, Loaded, Row, Store, Transaction, View } from '../store/model/row.ts';
import type { Seal } from '../store/model/seal.ts';
import type { Clock } from './clock.ts';
import type { ShownTexts } from './shownTexts.ts';

/** Behavior of the platform that its documentation leaves open, or that is only simulated. */
export interface Settings {
  /** The time until a new version of a workload runs. */
  readonly readyAfterMs: number;
  /** The time for which deleted records are still shown. */
  readonly deletionDelayMs: number;
  /** Rules that may be stricter than the service only warn. */
  readonly lenient: boolean;
  /** Existing problems of a record do not block a change of it. */
  readonly tolerate?: 'existing';
  /** How records are shown differently from how they are stored; empty: not at all. */
  readonly answers: ReadonlySet<AnswerForm>;
  /** The seed of all simulated behavior. */
  readonly seed: string;
  /** Serve the local-only endpoints. */
  readonly dev: boolean;
  /** Domains can only be created with proof of ownership (platform/errors.statuses). */
  readonly proveOwnership: boolean;
  /** The number of expansions of one volume by command in 24 hours; absent: no limit. */
  readonly expandLimit?: number;
  /** The duration of each stage of a command on a volume (platform/commands). */
  readonly commandStageMs: number;
  /** Tokens are not checked. */
  readonly noAuth: boolean;
}

/** One org, as routes see it. Time, ids and randomness are injected. */
export interface Platform {
  readonly service: Service;
  readonly store: Store;
  readonly org: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Unguessable lower-case letters and digits of this length. */
  readonly randomText: (length: number) => string;
  /** A digest of a key, to store instead of the key. */
  readonly digest: (text: string) => string;
  readonly base64url: (text: string) => string;
  /** Accepts any text: invalid input gives arbitrary text, never an error. */
  readonly textOfBase64url: (text: string) => string;
  readonly settings: Settings;
  /** Encrypts values that must not be readable in the database: `hidden` of a row. */
  readonly seal: Seal;
  readonly validatorsOf: (kind: Kind) => Promise<Validators>;
  readonly texts: ShownTexts;
}

/** The server as a whole. */
export interface Service {
  readonly database: Database;
  /** The org that the server was started with. */
  readonly home: string;
  /** Undefined: the org does not exist. */
  readonly of: (org: string) => Promise<Platform | undefined>;
  /** Creates an org with its built-in records, and runs `also` in the same transaction; false if the org exists. */
  readonly createOrg: (
    record: JsonObject & { readonly name: string },
    also: (tx: Transaction, org: Row) => void,
  ) => Promise<boolean>;
  readonly clock: Clock;
  /** Runs all work that is due by then, in order; returns the number of jobs. Only with a virtual clock. */
  readonly stepTo: (untilMs: number) => Promise<number>;
  readonly faults: FaultPlan;
  /** In the text format of Prometheus; absent if metrics are off. */
  readonly metrics?: () => Promise<string>;
  /** The state at one point in time, with secret values in the clear or omitted. */
  readonly view: (withSecrets: boolean) => Promise<View>;
  /** Replaces the whole state when all of it has arrived; until then the old state is served. */
  readonly replace: (content: AsyncIterable<readonly Loaded[]>) => Promise<void>;
  /** Replaces the whole state at once. */
  readonly load: (dump: Dump) => Promise<void>;
}
