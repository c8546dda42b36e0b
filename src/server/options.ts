import type { Dialect } from '../dialect/dialect.ts';
import type { JsonObject } from '../schema/json/json.ts';
import type { RequestLogEntry } from './http/listen.ts';
import type { RateLimit } from './http/rateLimit.ts';
import type { StaticToken } from './rules/access/staticTokens.ts';
import type { AnswerForm } from './rules/records/answerForms.ts';

/** What `startServer` and `gantry serve` take. */
export interface ServerOptions {
  /**
   * The address to listen on. Another one than of loopback needs tokens, and has no local-only endpoints. @default
   * 127.0.0.1
   */
  readonly host?: string;
  /** The address for clients, where it is another one: of a proxy, or with a name. @default as clients reach it */
  readonly publicUrl?: string;
  /** 0 picks a free one. @default 4480 */
  readonly port?: number;
  /** The path of the database file, or `:memory:`. @default :memory: */
  readonly data?: string;
  /** `postgres://…`: the database of any number of servers, in place of the file. */
  readonly store?: string;
  /** What `Authorization` must hold, with or without `Bearer `. */
  readonly token?: string;
  /** What the key for secrets at rest is made of. @default a key of its own in a file beside the database */
  readonly secretKey?: string;
  /** Tokens of others, who exist in their org. @default none */
  readonly tokens?: readonly StaticToken[];
  /** Lets everyone in. */
  readonly noAuth?: boolean;
  /** @default local */
  readonly org?: string;
  /** Added to each request. @default 0 */
  readonly latencyMs?: number;
  /** E-mail addresses of users that exist. */
  readonly users?: readonly string[];
  /** How long a new version of a workload takes until it runs. @default 500 */
  readonly readyAfterMs?: number;
  /** How long a deleted record is still shown. @default 0 */
  readonly deletionDelayMs?: number;
  /** Time passes by itself, or only when it is stepped. @default real */
  readonly clock?: 'real' | 'virtual';
  /** Rules that are perhaps stricter than the service warn only. */
  readonly lenient?: boolean;
  /**
   * `existing`: a record that broke a rule before may go on breaking it at that place; for states loaded as they are.
   */
  readonly tolerate?: 'existing';
  /** Records are shown otherwise than they are stored, and mean the same: for tests. @default as they are stored */
  readonly answers?: readonly AnswerForm[];
  /** Of what is simulated. @default gantry */
  readonly seed?: string;
  /** Local-only endpoints; never on another address than loopback. @default true on loopback */
  readonly dev?: boolean;
  /** Domains need a proof of ownership. */
  readonly proveOwnership?: boolean;
  /** How long each stage of a command on a volume takes. @default 100 */
  readonly commandStageMs?: number;
  /** Expansions by command that a volume gets in 24 hours. @default no limit */
  readonly expandLimit?: number;
  /** What is to go wrong, as `POST /-faults` takes it. */
  readonly faults?: JsonObject;
  /** The state to begin with, as `GET /-snapshot` gives it, in place of what the database holds. */
  readonly from?: JsonObject;
  /** Requests that one token may send. @default no limit */
  readonly rateLimit?: RateLimit;
  /** Whether requests and jobs are counted, for `GET /-metrics`. */
  readonly metrics?: boolean;
  /** The installation's own words on the wire; without it nothing is translated. */
  readonly dialect?: Dialect;
  /** A line for each request on standard error. */
  readonly log?: boolean;
  readonly requestLog?: (entry: RequestLogEntry) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}
