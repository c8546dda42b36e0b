import { isArray, isObject, type JsonObject, type JsonValue, mapMembers, own } from '../../../base/json/json.ts';
import { coerce, normalise } from '../../../kinds/normalise.ts';
import { asLenient, checkChange, checkRecord, checkRelated, type Related } from '../../../kinds/registry.ts';
import { shapeOf } from '../../../kinds/shapeOf.ts';
import { unknownSource } from '../../../kinds/shapeProblem.ts';
import { type Validators, validateShape } from '../../../kinds/validators.ts';
import type { Kind } from '../../../schema/record/kinds.ts';
import type { Problem } from '../../../schema/record/problem.ts';
import type { RecordContext } from '../../../schema/record/ref.ts';
import { anywhere, isResponseOnly, shapesInside } from '../../../schema/shape/anywhere.ts';
import { childShape } from '../../../schema/shape/paths.ts';
import type { Shape } from '../../../schema/shape/shape.ts';
import { mostProblems } from '../../http/limits.ts';

export interface WriteContext {
  readonly kind: Kind;
  readonly context: RecordContext;
  readonly validators: Validators;
  readonly related: Related;
  /** Whether rules that may be stricter than the service refuse nothing. */
  readonly lenient?: boolean;
  /** The stored record, if only new problems block a change. */
  readonly tolerated?: ToleratedRecord;
}

/** A stored record as a client would send it, with its related records for rules. */
export interface ToleratedRecord {
  readonly record: JsonObject;
  readonly related: Related;
}

export type WrittenRecord =
  | {
      readonly ok: true;
      readonly record: JsonObject;
      /** Problems that the service may accept: warnings of rules and, in lenient mode, lenient errors. */
      readonly warnings: readonly Problem[];
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * The record to store for a record that a client sent, or all its problems. `sent` has no directives; its
 * platform-owned members are ignored (platform/wire.writes). `before`: the stored record, with `origin` if it has one,
 * to check changes.
 */
export function writtenRecord(sent: JsonObject, before: JsonObject | undefined, write: WriteContext): WrittenRecord {
  const { kind, context, related: others } = write;
  const record = filled(kind, sent, context);
  const old = existingProblems(before, write);
  const problems = [
    ...kindProblems(sent, kind),
    ...old.without(recordProblems(record, before, write)),
    ...(before === undefined ? [] : checkChange(kind, before, record, context, 'server')),
  ];
  const known = bySeverity(problems, write.lenient);
  if (known.errors.length > 0) return { ok: false, problems: distinct(known.errors) };
  const related = bySeverity(old.without(checkRelated(kind, record, context, others, 'server')), write.lenient);
  if (related.errors.length > 0) return { ok: false, problems: related.errors };
  return { ok: true, record, warnings: [...known.warnings, ...related.warnings] };
}

function filled(kind: Kind, sent: JsonObject, context: RecordContext): JsonObject {
  return normalise(kind, coerce(kind, withoutReadOnly(kind, sent)), context);
}

/** The problems after defaults are filled, so that platform-chosen values, such as the type of a workload, exist. */
function recordProblems(
  record: JsonObject,
  before: JsonObject | undefined,
  { kind, validators, context, tolerated }: WriteContext,
): readonly Problem[] {
  // All problems are needed, because the first ones may be tolerated.
  const most = tolerated === undefined ? mostProblems + 1 : Number.POSITIVE_INFINITY;
  return [
    ...validateShape(validators, kind, record, unknownSource, most),
    ...checkRecord(kind, withOrigin(record, before), context, 'server', most),
  ];
}

/** Identifies a problem. An unknown field is identified by its list, because its item may move. */
function problemKey({ rule, path, pointer }: Problem): string {
  if (rule !== 'shape.unknown-field') return `${rule} ${path}`;
  return `${rule} ${pointer.map((part) => (typeof part === 'number' ? '*' : part)).join('.')}`;
}

/** The problems of the stored record, by rule and path. */
function existingProblems(before: JsonObject | undefined, write: WriteContext) {
  const { kind, context, tolerated } = write;
  const known = new Set<string>();
  if (tolerated !== undefined) {
    const record = filled(kind, tolerated.record, context);
    for (const problem of recordProblems(record, before, write)) known.add(problemKey(problem));
    for (const problem of checkRelated(kind, record, context, tolerated.related, 'server'))
      known.add(problemKey(problem));
  }
  return {
    without: (problems: readonly Problem[]) =>
      known.size === 0 ? problems : problems.filter((problem) => !known.has(problemKey(problem))),
  };
}

/** Adds the origin, by which rules recognise built-in records. */
function withOrigin(record: JsonObject, before: JsonObject | undefined): JsonObject {
  const origin = before === undefined ? undefined : own(before, 'origin');
  return origin === undefined ? record : { ...record, origin };
}

interface SortedProblems {
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
}

const noProblems: SortedProblems = { errors: [], warnings: [] };

function bySeverity(problems: readonly Problem[], lenient: boolean | undefined): SortedProblems {
  if (problems.length === 0) return noProblems;
  const judged = lenient ? asLenient(problems) : problems;
  return {
    errors: judged.filter(({ severity }) => severity === 'error'),
    warnings: judged.filter(({ severity }) => severity === 'warning'),
  };
}

/** Drops the problems of rules at paths where the schema has already found one. */
function distinct(problems: readonly Problem[]): readonly Problem[] {
  const shaped = new Set(problems.filter(({ rule }) => rule.startsWith('shape.')).map(({ path }) => path));
  return problems.filter(({ rule, path }) => rule.startsWith('shape.') || !shaped.has(path));
}

function kindProblems(sent: JsonObject, kind: Kind): readonly Problem[] {
  const stated = own(sent, 'kind');
  if (stated === undefined || stated === null || stated === kind) return [];
  const message = `the kind must be ${JSON.stringify(kind)}, not ${JSON.stringify(stated)}`;
  return [{ rule: 'kind.match', path: 'kind', pointer: ['kind'], message, severity: 'error' }];
}

/**
 * The members that a client owns. Platform-owned members are removed at any depth, such as the `context` of a query
 * (platform/gvc, platform/wire.writes). Also accepts the body of a PATCH, whose directives do not change.
 */
export function withoutReadOnly(kind: Kind, record: JsonObject): JsonObject {
  const shape = shapeOf(kind);
  const foreign = (name: string) => readOnlyEverywhere.has(name) && shape.type === 'object' && !shape.fields.has(name);
  const known = Object.keys(record).some(foreign)
    ? Object.fromEntries(Object.entries(record).filter(([name]) => !foreign(name)))
    : record;
  return withoutMembers(shape, known);
}

/** Members that are read-only in every record, even in kinds without them (platform/concepts.record). */
const readOnlyEverywhere: ReadonlySet<string> = new Set(['origin', 'alias']);

function withoutMembers(shape: Shape, object: JsonObject): JsonObject {
  return mapMembers(object, (value, name) => {
    const member = childShape(shape, name);
    if (member?.facts.responseOnly === true) return undefined;
    return member === undefined || !holdsReadOnly(member) ? value : withoutInside(member, value);
  });
}

function withoutInside(shape: Shape, value: JsonValue): JsonValue {
  if (isArray(value)) return shape.type === 'list' ? value.map((item) => withoutInside(shape.item, item)) : value;
  return isObject(value) ? withoutMembers(shape, value) : value;
}

/** Whether a shape contains such a member. Most do not, and need no copy. */
const holdsReadOnly = anywhere((shape) => shape.type === 'object' && shapesInside(shape).some(isResponseOnly));
