import { isArray, isObject, type JsonObject, type JsonValue, listAt, own } from '../../../schema/json/json.ts';
import type { Pointer } from '../../../schema/json/pointer.ts';
import type { Problem } from '../../../schema/record/problem.ts';
import { durationMs } from '../../../schema/text/duration.ts';

/** Something that is to go wrong, on purpose and repeatably. Lengths of time in milliseconds. */
export interface Fault {
  /** Any where it is absent. */
  readonly method?: string;
  /** Of the path, segment by segment: `*` is any one, a last `**` any rest. Any path where it is absent. */
  readonly path?: readonly string[];
  /** Of each request that it is about; 1 where it is absent. */
  readonly probability?: number;
  /** Only at these of the requests that it is about, counted from 1. */
  readonly at?: readonly number[];
  /** So often at most. */
  readonly times?: number;
  readonly latencyMs: number;
  /** Added to the latency, between nothing and this. */
  readonly jitterMs: number;
  /** Answered in place of what was asked for; nothing is done. */
  readonly status?: number;
  readonly message?: string;
  readonly retryAfterSeconds?: number;
  /** It is done, and then the connection is cut without an answer. */
  readonly drop: boolean;
  /** The connection is cut and nothing is done. */
  readonly reset: boolean;
  /** A GET or a query is answered with what it was answered before, at most this long ago. */
  readonly staleMs?: number;
  /** `id` and `version` in a PATCH are not looked at, and `/discovery` does not say that they are. */
  readonly ignorePrecondition: boolean;
  /** What is deleted is still shown for this long. */
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

/** Reads `{seed?, faults: [...]}`; what is wrong with it goes into `problems`, with its place. */
export function readFaults(body: JsonObject, problems: Problem[]): Faults {
  function wrong(pointer: Pointer, message: string): void {
    problems.push({ rule: 'faults', path: pointer.join('.'), pointer, message, severity: 'error' });
  }
  for (const key of Object.keys(body)) {
    if (key !== 'seed' && key !== 'faults') wrong([key], `"${key}" is not allowed; there are seed and faults`);
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
    staleMs: field('stale', lengthOf, 'a length of time such as 2s'),
    slowDeletionMs: field('slowDeletion', lengthOf, 'a length of time such as 2s'),
  };
  return [
    {
      ...present(read),
      latencyMs: field('latency', lengthOf, 'a length of time such as 20ms') ?? 0,
      jitterMs: field('jitter', lengthOf, 'a length of time such as 20ms') ?? 0,
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
  const kept: Present<T> = {};
  for (const key in object) {
    const value = object[key];
    if (isDefined(value)) Object.assign(kept, { [key]: value });
  }
  return kept;
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
