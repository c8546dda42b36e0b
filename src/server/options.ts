import type { JsonObject } from '../base/json/json.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { StaticToken } from './access/decisions/tokens.ts';
import type { RateLimit } from './http/limits.ts';
import type { RequestLogEntry } from './http/listen.ts';
import type { AnswerForm } from './records/decisions/shownRecord.ts';

/** The options of `startServer` and `gantry serve`. */
export interface ServerOptions {
  /**
   * The address to listen on. Addresses other than loopback require tokens and have no local-only endpoints. @default
   * 127.0.0.1
   */
  readonly host?: string;
  /**
   * The address for clients, if it differs: that of a proxy, or with a host name. @default the address that clients use
   */
  readonly publicUrl?: string;
  /** 0 picks a free port. @default 4480 */
  readonly port?: number;
  /** The path of the database file, or `:memory:`. @default :memory: */
  readonly data?: string;
  /** A `postgres://…` database that several servers can share, instead of the file. */
  readonly store?: string;
  /** The token that `Authorization` must contain, with or without `Bearer `. */
  readonly token?: string;
  /** The passphrase of the key for secrets at rest. @default a random key in a file beside the database */
  readonly secretKey?: string;
  /** Tokens of other principals, which must exist in their org. @default none */
  readonly tokens?: readonly StaticToken[];
  /** Whether tokens are not checked. */
  readonly noAuth?: boolean;
  /** @default local */
  readonly org?: string;
  /** Latency added to each request. @default 0 */
  readonly latencyMs?: number;
  /** E-mail addresses of existing users. */
  readonly users?: readonly string[];
  /** The time until a new version of a workload runs. @default 500 */
  readonly readyAfterMs?: number;
  /** The time for which deleted records are still shown. @default 0 */
  readonly deletionDelayMs?: number;
  /** `virtual`: time passes only when it is advanced. @default real */
  readonly clock?: 'real' | 'virtual';
  /** Whether rules that may be stricter than the service only warn. */
  readonly lenient?: boolean;
  /** `existing`: a rule that a record already violates does not block its change; for loaded states. */
  readonly tolerate?: 'existing';
  /** Forms of responses that differ from the stored form but mean the same: for tests. @default none */
  readonly answers?: readonly AnswerForm[];
  /** The seed of all simulated behavior. @default gantry */
  readonly seed?: string;
  /** Whether to serve the local-only endpoints; loopback only. @default true on loopback */
  readonly dev?: boolean;
  /** Whether domains need a proof of ownership. */
  readonly proveOwnership?: boolean;
  /** The duration of each stage of a command on a volume. @default 100 */
  readonly commandStageMs?: number;
  /** The number of expansions that one volume allows by command in 24 hours. @default no limit */
  readonly expandLimit?: number;
  /** Injected faults, in the form of `POST /-faults`. */
  readonly faults?: JsonObject;
  /** The initial state, in the form of `GET /-snapshot`; it replaces the state of the database. */
  readonly from?: JsonObject;
  /** The limit on requests of one token. @default no limit */
  readonly rateLimit?: RateLimit;
  /** Whether to count requests and jobs for `GET /-metrics`. */
  readonly metrics?: boolean;
  /** The installation's names on the wire. @default the neutral names */
  readonly dialect?: Dialect;
  /** Whether to write a line for each request to standard error. */
  readonly log?: boolean;
  readonly requestLog?: (entry: RequestLogEntry) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}
