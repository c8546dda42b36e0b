import { isArray, type JsonObject } from '../../base/json/json.ts';
import { bySchema } from '../../patch/model/sensitivity.ts';
import { fieldChanges } from '../../patch/show/fieldChanges.ts';
import type { ListKey } from '../../schema/facts/fieldFacts.ts';
import { type Risk, worse } from '../../schema/facts/risk.ts';
import { type RiskFact, worstOf } from '../../schema/facts/riskFacts.ts';
import type { RecordContext } from '../../schema/record/context.ts';
import { shapesInside } from '../../schema/shape/anywhere.ts';
import { itemsByKey } from '../../schema/shape/listKey.ts';
import type { ListShape, ObjectShape, Shape } from '../../schema/shape/shape.ts';
import type { FieldChange } from '../model/fieldChange.ts';

/** What a change of one field can do. */
type RiskOf = (shape: ObjectShape, field: FieldChange) => Risk;

/**
 * The risk of a list that is shown as a whole, because its order changes or its items have no key: the risk of each
 * item by key, else the worst of everything in it. `fact`: of the list.
 */
export function wholeListRisk(
  list: ListShape,
  fact: RiskFact,
  { old = [], new: next = [] }: FieldChange,
  context: RecordContext,
  riskOf: RiskOf,
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

/** Undefined: hidden, or the items have no unique keys. */
function byKey(key: ListKey, items: FieldChange['old']): JsonObject | undefined {
  const found = isArray(items) ? itemsByKey(key, items) : undefined;
  return found && Object.fromEntries(found);
}

function worstInside(shape: Shape): Risk {
  const { risk } = shape.facts;
  const own = risk === undefined ? 'none' : worstOf(risk);
  return shapesInside(shape).reduce<Risk>((worst, each) => worse(worst, worstInside(each)), own);
}
