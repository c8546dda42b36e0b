import { bySchema } from '../../patch/model/sensitivity.ts';
import { fieldChanges } from '../../patch/show/fieldChanges.ts';
import { type Risk, worse } from '../../schema/facts/risk.ts';
import { type RiskFact, worstOf } from '../../schema/facts/riskFacts.ts';
import type { JsonArray, JsonValue } from '../../schema/json/json.ts';
import type { RecordContext } from '../../schema/record/context.ts';
import { shapesInside } from '../../schema/shape/anywhere.ts';
import { itemsByKey } from '../../schema/shape/listKey.ts';
import type { ListShape, ObjectShape, Shape } from '../../schema/shape/shape.ts';
import { compareText } from '../../schema/text/compareText.ts';
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
  const [before, after] = [sortedByKey(list, old), sortedByKey(list, next)];
  if (before === undefined || after === undefined) return worstInside(list.item);
  const alone: ObjectShape = { type: 'object', fields: new Map([['items', byKeyOnly(list)]]), facts: { risk: fact } };
  const changes = fieldChanges(bySchema(alone), { items: before }, { items: after }, context);
  return changes.reduce<Risk>(
    (worst, each) => worse(worst, each.path === 'items' ? worstInside(list.item) : riskOf(alone, each)),
    'none',
  );
}

/** The risk of the order itself is judged elsewhere: here each item is compared with the one of its key. */
function byKeyOnly(list: ListShape): ListShape {
  const { list: how } = list.facts;
  return how?.class === 'keyed' ? { ...list, facts: { ...list.facts, list: { class: 'keyed', key: how.key } } } : list;
}

/** Undefined: hidden, or the items have no unique keys. */
function sortedByKey({ facts }: ListShape, items: JsonValue | object): JsonArray | undefined {
  if (!isList(items) || facts.list?.class !== 'keyed') return undefined;
  const byKey = itemsByKey(facts.list.key, items);
  return byKey && [...byKey].sort(([a], [b]) => compareText(a, b)).map(([, item]) => item);
}

function isList(value: JsonValue | object): value is JsonArray {
  return Array.isArray(value);
}

function worstInside(shape: Shape): Risk {
  const { risk, responseOnly } = shape.facts;
  if (responseOnly === true) return 'none';
  const own = risk === undefined ? 'none' : worstOf(risk);
  return shapesInside(shape).reduce<Risk>((worst, each) => worse(worst, worstInside(each)), own);
}
