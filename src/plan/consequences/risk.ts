import { isArray, type JsonArray, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { onceFor, onceForObject } from '../../base/once.ts';
import { quantityValue } from '../../base/text/quantity.ts';
import { covers, memberKey } from '../../kinds/equal.ts';
import { kindFacts } from '../../kinds/kindFacts.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { fieldChanges } from '../../patch/fieldChanges.ts';
import { bySchema } from '../../patch/shouldMask.ts';
import type { ListKey } from '../../schema/facts/fieldFacts.ts';
import { type Risk, worse } from '../../schema/facts/risk.ts';
import { type DirectedRisk, type RiskFact, worstOf } from '../../schema/facts/riskFacts.ts';
import { kindNamed } from '../../schema/record/kinds.ts';
import { contextOf, type RecordContext, type ResourceId } from '../../schema/record/ref.ts';
import { shapesInside } from '../../schema/shape/anywhere.ts';
import { itemsByKey } from '../../schema/shape/listKey.ts';
import { childShape, namesOfPath } from '../../schema/shape/paths.ts';
import type { ListShape, ObjectShape, Shape } from '../../schema/shape/shape.ts';
import { type FieldChange, isHidden } from '../model/change.ts';
import { dataIn } from '../model/dataLoss.ts';
import { type Draft, deletes } from '../model/draft.ts';
import { protectedPath } from '../record/shapeFacts.ts';

/**
 * Adds the risk of each changed field, the worst risk of the change as a whole, and the records that lose data by a
 * deletion; `strangers` are deleted with it.
 */
export function assessRisk(draft: Draft, org: string, strangers: readonly LiveResource[] = []): Draft {
  if (draft.action === 'keep') return draft;
  const shape = shapeOf(draft.kind, draft.desired?.record ?? draft.live?.record);
  const context = contextOf(draft.ref, org);
  const fields = fieldRisks(draft, shape, context);
  const risk = worst([actionRisk(draft), ...fields.map((field) => field.risk ?? 'none')]);
  return { ...draft, fields, risk, ...present({ losesData: losesData(draft, strangers) }) };
}

function losesData(draft: Draft, strangers: readonly LiveResource[]): readonly ResourceId[] | undefined {
  if (!deletes(draft) || draft.live === undefined) return undefined;
  const records = [draft.live, ...strangers].filter(({ ref, record }) => dataIn(ref.kind, record) !== undefined);
  return records.length === 0 ? undefined : records.map(({ id }) => id).sort();
}

function fieldRisks({ action, fields }: Draft, shape: ObjectShape, context: RecordContext): readonly FieldChange[] {
  const riskOf = action === 'create' ? creationRisk : fieldRisk;
  return fields.map((field) => {
    const risk = riskOf(shape, field, context);
    return risk === 'none' ? field : { ...field, risk };
  });
}

function worst(risks: Iterable<Risk>): Risk {
  let found: Risk = 'none';
  for (const risk of risks) found = worse(found, risk);
  return found;
}

/** The worst risk of a plan. */
export function planRisk(changes: readonly { readonly risk?: Risk }[]): Risk {
  return worst(changes.map(({ risk }) => risk ?? 'none'));
}

/** The risk of the action itself, regardless of fields, including what the platform deletes along. */
function actionRisk({ action, kind, cascadesTo }: Draft): Risk {
  const { create, write, delete: deletion } = kindFacts(kind).risks;
  switch (action) {
    case 'create':
      return create;
    case 'patch':
    case 'adopt':
    case 'forget':
      return write;
    case 'replace':
      return worst([deletion, create, 'downtime']);
    case 'delete':
      return worst([deletion, ...cascadesTo.map((id) => deletionRiskOf(id))]);
    case 'keep':
      return 'none';
  }
}

function deletionRiskOf(id: string): Risk {
  const kind = kindNamed(id.slice(0, id.indexOf('/')));
  return kind === undefined ? 'none' : kindFacts(kind).risks.delete;
}

/** The risk of one changed field of a live record, from the nearest fact at or above it. */
export function fieldRisk(shape: ObjectShape, field: FieldChange, context: RecordContext): Risk {
  if (liftsProtection(field)) return 'exposure';
  const { fact, leaf } = riskAt(shape, field.path);
  const own = typeof fact === 'string' ? fact : directionOf(leaf, fact, field, { context, unknown: worstOf(fact) });
  if (leaf?.type !== 'list' || leaf.item.type !== 'object') return own;
  const riskOf = (inside: ObjectShape, each: FieldChange) => fieldRisk(inside, each, context);
  return worse(own, wholeListRisk(leaf, fact, field, { context, riskOf }));
}

/** Whether the platform's own guard against deletion is removed. */
function liftsProtection({ path, old, new: next }: FieldChange): boolean {
  return path === protectedPath && String(old) === 'true' && String(next) !== 'true';
}

/** For a new record only its cost and the access that it grants count. */
function creationRisk(shape: ObjectShape, field: FieldChange, context: RecordContext): Risk {
  const { fact, leaf } = riskAt(shape, field.path);
  if (typeof fact === 'string' || fact.whenCreated === undefined) return 'none';
  const whenCreated: DirectedRisk = {
    ...fact,
    more: fact.whenCreated,
    less: 'none',
    toNothing: 'none',
    changed: fact.whenCreated,
  };
  return directionOf(leaf, whenCreated, field, { context, unknown: fact.whenCreated });
}

interface RiskPlace {
  /** The nearest fact at or above the place. */
  readonly fact: RiskFact;
  readonly leaf: Shape | undefined;
}

/** Cached: thousands of records share the same few paths. */
const risksOf = onceForObject((shape: ObjectShape) => onceFor((path: string) => findRisk(shape, path), 1_000));

function riskAt(shape: ObjectShape, path: string): RiskPlace {
  return risksOf(shape)(path);
}

function findRisk(shape: ObjectShape, path: string): RiskPlace {
  const names = namesOfPath(path);
  // Not a field of the record: only the tag of this stack stores it.
  if (names[0] === 'lifecycle' && !shape.fields.has('lifecycle')) return { fact: 'metadata', leaf: undefined };
  let leaf: Shape | undefined = shape;
  let fact = shape.facts.risk;
  for (const name of names) {
    leaf = childShape(leaf, name);
    fact = leaf?.facts.risk ?? fact;
  }
  return { fact: fact ?? 'metadata', leaf };
}

function directionOf(
  leaf: Shape | undefined,
  fact: DirectedRisk,
  { old, new: next }: FieldChange,
  { context, unknown }: { readonly context: RecordContext; readonly unknown: Risk },
): Risk {
  if (leaf === undefined || isHidden(old) || isHidden(next)) return unknown;
  if (leaf.type === 'list') return listDirection(leaf, fact, { old, new: next }, context);
  const isAmount = leaf.type === 'scalar' && (leaf.of !== 'string' || leaf.facts.quantity !== undefined);
  if (!isAmount && fact.order === undefined) {
    if (old === undefined) return fact.more;
    return next === undefined ? fact.less : (fact.changed ?? unknown);
  }
  const [before, after] = [amountOf(leaf, fact, old), amountOf(leaf, fact, next)];
  if (after === undefined) return unknown;
  if (before === undefined) return after === 0 ? unknown : worse(fact.more, fact.less);
  if (before === after) return 'none';
  if (after > before) return fact.more;
  return after === 0 ? (fact.toNothing ?? fact.less) : fact.less;
}

function listDirection(
  shape: ListShape,
  { more, less, toNothing = less, absentIs }: DirectedRisk,
  { old, new: next }: { readonly old: JsonValue | undefined; readonly new: JsonValue | undefined },
  context: RecordContext,
): Risk {
  if (absentIs === Number.POSITIVE_INFINITY && old === undefined) return less;
  if (absentIs === Number.POSITIVE_INFINITY && next === undefined) return more;
  const [before, after] = [isArray(old) ? old : [], isArray(next) ? next : []];
  const added = hasBeyond(shape, after, before, context);
  const removed = hasBeyond(shape, before, after, context);
  return worse(added ? more : 'none', removed ? (after.length === 0 ? toNothing : less) : 'none');
}

/** Whether the first list has an item that the other lacks. */
function hasBeyond(shape: ListShape, items: JsonArray, others: JsonArray, context: RecordContext): boolean {
  const known = new Set(others.map((item) => memberKey(shape, item, context)));
  const beyond = items.filter((item) => !known.has(memberKey(shape, item, context)));
  return beyond.some((item) => !others.some((other) => covers(shape, other, item, context)));
}

/** A comparable amount, in the field's own unit; undefined if it cannot be compared. */
function amountOf(shape: Shape, fact: DirectedRisk, value: JsonValue | undefined): number | undefined {
  const { facts } = shape;
  const fixed = facts.fill === 'constant' || facts.fill === 'irremovable' || facts.fill === 'operational';
  const stated = value ?? (fixed ? facts.default : undefined) ?? fact.absentIs;
  if (typeof stated === 'boolean') return stated ? 1 : 0;
  if (facts.quantity !== undefined && typeof stated === 'string') return quantityValue(stated);
  if (typeof stated === 'number') return stated;
  const place = typeof stated === 'string' ? (fact.order ?? []).indexOf(stated) : -1;
  return place < 0 ? undefined : place;
}

type RiskOf = (shape: ObjectShape, field: FieldChange) => Risk;

/**
 * The risk of a list that is shown as a whole, because its order changes or its items have no key: the risk of each
 * item by key, else the worst of everything in it. `fact` is the list's.
 */
function wholeListRisk(
  list: ListShape,
  fact: RiskFact,
  { old = [], new: next = [] }: FieldChange,
  { context, riskOf }: { readonly context: RecordContext; readonly riskOf: RiskOf },
): Risk {
  const order = list.facts.list;
  if (order?.class !== 'keyed') return worstInside(list.item);
  const [before, after] = [byKey(order.key, old), byKey(order.key, next)];
  if (before === undefined || after === undefined) return worstInside(list.item);
  const items: Shape = { type: 'map', value: list.item, facts: { risk: fact } };
  const alone: ObjectShape = { type: 'object', fields: new Map([['items', items]]), facts: {} };
  const changes = fieldChanges(bySchema(alone), { items: before }, { items: after }, context);
  return changes.reduce<Risk>((worst, each) => worse(worst, riskOf(alone, each)), 'none');
}

/** Undefined if hidden, or if the items have no unique keys. */
function byKey(key: ListKey, items: FieldChange['old']): JsonObject | undefined {
  const found = isArray(items) ? itemsByKey(key, items) : undefined;
  return found && Object.fromEntries(found);
}

function worstInside(shape: Shape): Risk {
  const { risk } = shape.facts;
  const own = risk === undefined ? 'none' : worstOf(risk);
  return shapesInside(shape).reduce<Risk>((worst, each) => worse(worst, worstInside(each)), own);
}
