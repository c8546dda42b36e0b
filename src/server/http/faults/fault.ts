import { isArray, isObject, type JsonObject, type JsonValue, listAt, own } from '../../../base/json/json.ts';
import type { Pointer } from '../../../base/json/pointer.ts';
import { durationMs } from '../../../base/text/duration.ts';
import type { Problem } from '../../../schema/record/problem.ts';

/** An injected fault, reproducible by its seed. Times in milliseconds. */
export interface Fault {
  /** Default: any method. */
  readonly method?: string;
  /** Path segments: `*` matches any one, a final `**` any rest. Default: any path. */
  readonly path?: readonly string[];
  /** The probability for each matching request. Default: 1. */
  readonly probability?: number;
  /** The numbers of the matching requests to fail, from 1. */
  readonly at?: readonly number[];
  /** The most times that it occurs. */
  readonly times?: number;
  readonly latencyMs: number;
  /** A random latency up to this, in addition. */
  readonly jitterMs: number;
  /** The status of the answer; the request is not carried out. */
  readonly status?: number;
  readonly message?: string;
  readonly retryAfterSeconds?: number;
  /** The request is carried out; then the connection is cut without an answer. */
  readonly drop: boolean;
  /** The connection is cut; the request is not carried out. */
  readonly reset: boolean;
  /** A GET or a query is answered with its earlier answer, at most this old. */
  readonly staleMs?: number;
  /** A PATCH ignores `id` and `version`, and `/discovery` does not advertise preconditions. */
  readonly ignorePrecondition: boolean;
  /** Deleted records are still shown for this long. */
  readonly slowDeletionMs?: number;
}

export interface Faults {
  readonly seed: string;
  readonly faults: readonly Fault[];
}

export const noFaults: Faults = { seed: '', faults: [] };

const known = new Set([
  'method',
  'path',
  'probability',
  'at',
  'times',
  'latency',
  'jitter',
  'status',
  'message',
  'retryAfter',
  'drop',
  'reset',
  'stale',
  'slowDeletion',
  'ignorePrecondition',
]);

const actions = ['latency', 'jitter', 'status', 'drop', 'reset', 'stale', 'slowDeletion', 'ignorePrecondition'];

/** Reads `{seed?, faults: [...]}`. Problems with their places go into `problems`. */
export function readFaults(body: JsonObject, problems: Problem[]): Faults {
  function wrong(pointer: Pointer, message: string): void {
    problems.push({ rule: 'faults', path: pointer.join('.'), pointer, message, severity: 'error' });
  }
  for (const key of Object.keys(body)) {
    if (key !== 'seed' && key !== 'faults') wrong([key], `"${key}" is not allowed. Available: seed, faults.`);
  }
  const seed = own(body, 'seed') ?? 'gantry';
  if (typeof seed !== 'string' && typeof seed !== 'number') wrong(['seed'], 'must be text or a number');
  if (!isArray(own(body, 'faults'))) wrong(['faults'], 'must be a list');
  const faults = listAt(body, 'faults').flatMap((fault, index) => {
    return readFault(fault, (field, message) => wrong(['faults', index, ...(field === '' ? [] : [field])], message));
  });
  return { seed: String(seed), faults };
}

function readFault(fault: JsonValue, wrong: (field: string, message: string) => void): readonly Fault[] {
  if (!isObject(fault)) {
    wrong('', 'must be an object');
    return [];
  }
  for (const key of Object.keys(fault)) if (!known.has(key)) wrong(key, `"${key}" is not allowed`);
  if (!actions.some((action) => Object.hasOwn(fault, action))) wrong('', `needs one of ${actions.join(', ')}`);

  const field = fieldReader(fault, wrong);
  const path = field(
    'path',
    (value) => (typeof value === 'string' && value.startsWith('/') ? value : undefined),
    'a path from /',
  );
  const read = {
    method: field('method', (value) => (typeof value === 'string' ? value.toUpperCase() : undefined), 'a method'),
    path: path?.split('/').slice(1),
    probability: field('probability', (value) => inRange(value, 0, 1), 'from 0 to 1'),
    at: field('at', (value) => (isArray(value) ? wholes(value) : undefined), 'a list of whole numbers from 1'),
    times: field('times', (value) => wholeFrom(value, 1), 'a whole number from 1'),
    status: field('status', (value) => inRange(value, 400, 599), 'from 400 to 599'),
    message: field('message', (value) => (typeof value === 'string' ? value : undefined), 'text'),
    retryAfterSeconds: field('retryAfter', (value) => inRange(value, 0, 86_400), 'seconds'),
    staleMs: field('stale', lengthOf, 'a duration such as 2s'),
    slowDeletionMs: field('slowDeletion', lengthOf, 'a duration such as 2s'),
  };
  return [
    {
      ...present(read),
      latencyMs: field('latency', lengthOf, 'a duration such as 20ms') ?? 0,
      jitterMs: field('jitter', lengthOf, 'a duration such as 20ms') ?? 0,
      drop: field('drop', flag, 'true or false') ?? false,
      reset: field('reset', flag, 'true or false') ?? false,
      ignorePrecondition: field('ignorePrecondition', flag, 'true or false') ?? false,
    },
  ];
}

function fieldReader(fault: JsonObject, wrong: (field: string, message: string) => void) {
  return <T>(name: string, read: (value: JsonValue) => T | undefined, expected: string): T | undefined => {
    const value = own(fault, name);
    if (value === undefined || value === null) return undefined;
    const result = read(value);
    if (result === undefined) wrong(name, `must be ${expected}`);
    return result;
  };
}

type Present<T> = { readonly [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Without the members that are undefined. */
function present<T extends object>(object: T): Present<T> {
  const result: Present<T> = {};
  for (const key in object) {
    const value = object[key];
    if (isDefined(value)) Object.assign(result, { [key]: value });
  }
  return result;
}

function isDefined<T>(value: T): value is Exclude<T, undefined> {
  return value !== undefined;
}

function lengthOf(value: JsonValue): number | undefined {
  return typeof value === 'string' || typeof value === 'number' ? durationMs(value) : undefined;
}

function flag(value: JsonValue): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function inRange(value: JsonValue, least: number, most: number): number | undefined {
  return typeof value === 'number' && value >= least && value <= most ? value : undefined;
}

function wholeFrom(value: JsonValue, least: number): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= least ? value : undefined;
}

function wholes(values: readonly JsonValue[]): readonly number[] | undefined {
  const numbers = values.flatMap((value) => wholeFrom(value, 1) ?? []);
  return numbers.length === values.length ? numbers : undefined;
}
