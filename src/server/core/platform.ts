import type { JsonObject } from '../../schema/json/json.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import type { Validators } from '../../schema/validation/validators.ts';
import type { FaultPlan } from '../http/faultPlan.ts';
import type { Seal } from '../sealing/seal.ts';
import type { Database, Dump, Loaded, Row, Store, Transaction, View } from '../store/row.ts';
import type { Clock } from './clock.ts';
import type { Settings } from './settings.ts';
import type { ShownTexts } from './shownTexts.ts';

/** One org, as every route sees it. Time, ids and randomness come from outside. */
export interface Platform {
  readonly service: Service;
  readonly store: Store;
  readonly org: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Random lower-case letters and digits of this length, which cannot be guessed. */
  readonly randomText: (length: number) => string;
  /** A digest of a key, for keeping it without knowing it. */
  readonly digest: (text: string) => string;
  readonly base64url: (text: string) => string;
  /** The text may be anything: unreadable text gives other text, never an error. */
  readonly textOfBase64url: (text: string) => string;
  readonly settings: Settings;
  /** What must not be readable in the database: `hidden` of a row is sealed. */
  readonly seal: Seal;
  readonly validatorsOf: (kind: Kind) => Promise<Validators>;
  readonly texts: ShownTexts;
}

/** The server as a whole. */
export interface Service {
  readonly database: Database;
  /** The org that the server was started with. */
  readonly home: string;
  /** Undefined: there is no such org. */
  readonly of: (org: string) => Promise<Platform | undefined>;
  /** A new org with what every org has, `also` in the same transaction; false where there is one of that name. */
  readonly createOrg: (
    record: JsonObject & { readonly name: string },
    also: (tx: Transaction, org: Row) => void,
  ) => Promise<boolean>;
  readonly clock: Clock;
  /** Everything due until then happens, in order; the number of jobs. Only with a clock that is stepped. */
  readonly stepTo: (untilMs: number) => Promise<number>;
  readonly faults: FaultPlan;
  /** In the text format of Prometheus; absent where nothing is counted. */
  readonly metrics?: () => Promise<string>;
  /** Everything at one point in time; the values of secrets in the clear, or omitted. */
  readonly view: (withSecrets: boolean) => Promise<View>;
  /** Replaces the whole state, once all of it is known; until then the former state is served. */
  readonly replace: (content: AsyncIterable<readonly Loaded[]>) => Promise<void>;
  /** The same at once. */
  readonly load: (dump: Dump) => Promise<void>;
}
