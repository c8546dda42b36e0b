import {
  converted,
  flag,
  integer,
  list,
  map,
  number,
  object,
  optional,
  optionals,
  type Reader,
  text,
  textLike,
} from '../../base/form/read.ts';
import { present } from '../../base/json/present.ts';
import { durationMs } from '../../base/text/duration.ts';

/** An injected fault, reproducible by its seed. Times in milliseconds. */
export interface Fault {
  /** Default: any method. */
  readonly method?: string;
  /** Path segments: `*` matches any one, a final `**` any rest. Default: any path. */
  readonly path?: readonly string[];
  /** The probability for each matching request. Default: 1. */
  readonly probability?: number;
  /** The numbers of the matching requests that fail, starting at 1. */
  readonly at?: readonly number[];
  /** The maximum number of times that it occurs. */
  readonly times?: number;
  readonly latencyMs: number;
  /** The maximum of an additional random latency. */
  readonly jitterMs: number;
  /** The status of the response; the request is not executed. */
  readonly status?: number;
  readonly message?: string;
  readonly retryAfterSeconds?: number;
  /** Whether the connection is cut without a response after the request was executed. */
  readonly drop: boolean;
  /** Whether the connection is cut before the request is executed. */
  readonly reset: boolean;
  /** A GET or a query gets its earlier response, at most this old. */
  readonly staleMs?: number;
  /** Whether a PATCH ignores `id` and `version`, and `/discovery` does not advertise preconditions. */
  readonly ignorePrecondition: boolean;
  /** Deleted records are still shown for this long. */
  readonly slowDeletionMs?: number;
}

export interface Faults {
  readonly seed: string;
  readonly faults: readonly Fault[];
}

export const noFaults: Faults = { seed: '', faults: [] };

/** A duration in milliseconds; a number without a unit is milliseconds. */
const duration = converted(
  (given) => (typeof given === 'string' || typeof given === 'number' ? durationMs(given) : undefined),
  'a duration such as 20ms or 2s',
  { type: ['string', 'number'] },
);

/** The effects of a fault, which needs at least one. */
const effectFields = optionals({
  latency: duration,
  jitter: duration,
  status: integer({ least: 400, most: 599 }),
  drop: flag,
  reset: flag,
  stale: duration,
  slowDeletion: duration,
  ignorePrecondition: flag,
});

const faultFields = object({
  ...effectFields,
  ...optionals({
    method: map(text, (given) => given.toUpperCase()),
    path: map(
      textLike((given) => given.startsWith('/'), 'a path from /'),
      (given) => given.split('/').slice(1),
    ),
    probability: number({ least: 0, most: 1 }),
    at: list(integer({ least: 1 }), 'a list of whole numbers'),
    times: integer({ least: 1 }),
    message: text,
    retryAfter: number({ least: 0, most: 86_400 }),
  }),
});

const fault = map(faultFields, (read, at): Fault => {
  const { latency = 0, jitter = 0, drop = false, reset = false, ignorePrecondition = false, ...others } = read;
  const { stale, slowDeletion, retryAfter, ...same } = others;
  const names = Object.keys(effectFields);
  if (!names.some((effect) => Object.hasOwn(read, effect))) throw at.bad(`needs one of ${names.join(', ')}`);
  const renamed = present({ staleMs: stale, slowDeletionMs: slowDeletion, retryAfterSeconds: retryAfter });
  return { ...same, ...renamed, latencyMs: latency, jitterMs: jitter, drop, reset, ignorePrecondition };
});

const seed: Reader<string> = {
  schema: { type: ['string', 'number'] },
  read: (given, at) => (typeof given === 'number' ? String(given) : text.read(given, at)),
};

/** The body of `POST /-faults`. */
export const faultsReader = map(
  object({ seed: optional(seed), faults: list(fault) }),
  (read): Faults => ({ seed: read.seed ?? 'gantry', faults: read.faults }),
);
