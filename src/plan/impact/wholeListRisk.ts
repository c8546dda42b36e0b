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
 * What the items of a list can do that is shown as a whole, because their order moves or no key tells them apart: by
 * key what each of them can do, else the worst of everything that stands in them. `fact`: of the list.
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

/** What an order says of the whole list is asked elsewhere: here each item is compared with the one of its key. */
function byKeyOnly(list: ListShape): ListShape {
  const { list: how } = list.facts;
  return how?.class === 'keyed' ? { ...list, facts: { ...list.facts, list: { class: 'keyed', key: how.key } } } : list;
}

/** Undefined: hidden, or nothing tells the items apart. */
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
