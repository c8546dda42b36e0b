import {
  type At,
  choice,
  converted,
  described,
  flag,
  json,
  list,
  object,
  optional,
  optionals,
  type Reader,
  text,
  textLike,
} from '../../base/form/read.ts';
import { isArray, isObject, type JsonObject, type JsonValue, own } from '../../base/json/json.ts';
import { suggest } from '../../base/text/suggest.ts';
import { available, suggestion } from '../../base/text/suggestion.ts';
import { shapeOf } from '../../kinds/shape/shapeOf.ts';
import { followPath } from '../../manifest/check/pathPlaces.ts';
import { lifecycleNames } from '../../manifest/read/lifecycleBlock.ts';
import type { FieldFacts } from '../../schema/facts/fieldFacts.ts';
import { declarableKinds, isDeclarable } from '../../schema/record/kinds.ts';
import { type PathSegment, parsePath } from '../../schema/shape/paths.ts';
import { isPolicyId } from '../model/policy.ts';
import { amount } from '../rules/condition.ts';
import { type Condition, operators, type PathCondition, type Rule } from '../rules/rule.ts';

/** Conditions in conditions; deeper ones nobody writes by hand. */
const deepest = 10;

const pattern: Reader<string> = {
  schema: text.schema,
  read(given, at) {
    const written = text.read(given, at);
    try {
      new RegExp(written, 'u');
    } catch {
      throw at.bad('is not a valid regular expression', "An example: matches: '^registry\\.example\\.com/'");
    }
    return written;
  },
};

const amounts = { cpu: 'an amount of CPU, such as 500m or 0.5', memory: 'an amount of memory, such as 512Mi' };

/** The operators of a condition. `quantity`: what the field is a quantity of. */
function operatorsFor(quantity: FieldFacts['quantity']) {
  const limit = converted(
    (given) =>
      (typeof given === 'number' || typeof given === 'string') && amount(given, quantity) !== undefined
        ? given
        : undefined,
    quantity === undefined ? 'a number' : amounts[quantity],
    { type: ['number', 'string'] },
  );
  const inner: Reader<Condition> = {
    schema: { type: 'object' },
    read(given, at) {
      if (at.pointer.length > deepest * 2) throw at.bad(`holds more than ${deepest} conditions in each other`);
      return condition(
        object(operatorsFor(quantity), { expected: 'a condition, such as {equals: 1}', isStrict: true }).read(
          given,
          at,
        ),
        at,
      );
    },
  };
  return optionals({
    exists: described('The value is there (true), or is not (false).', flag),
    equals: described('It is this value; 500m and 0.5 are the same amount of CPU.', json),
    in: described('It is one of these values.', list(json, 'a list of values', { least: 1 })),
    matches: described('It is a text of which a part matches this regular expression.', pattern),
    min: described('It is at least this number or amount, such as 500m or 4Gi.', limit),
    max: described('It is at most this number or amount.', limit),
    not: described('It does not meet this condition.', inner),
    any: described('It meets at least one of these conditions.', list(inner, 'a list of conditions', { least: 1 })),
  });
}

function condition<C extends Condition>(read: C, at: At): C {
  if (operators.some((operator) => read[operator] !== undefined)) return read;
  throw at.bad('has no condition', `Give one of ${operators.join(', ')}.`);
}

const path = textLike((given) => parsePath(given) !== undefined, 'a path');
const pathMembers = {
  path: described('Where the value is, such as spec.containers.*.image; * stands for each item or key.', path),
  of: optional(
    described('Whether every value at the path is meant (the default), or any of them.', choice('every', 'any')),
  ),
};
const kind = {
  schema: { type: ['string', 'array'], items: text.schema },
  read(given: JsonValue, at: At): readonly string[] {
    const kinds = isArray(given) ? given : [given];
    if (kinds.length === 0) throw at.bad('must be a kind, or a list of kinds', 'An example: kind: workload');
    return kinds.map((each) => {
      const name = text.read(each, at);
      if (isDeclarable(name)) return name;
      const known = declarableKinds();
      const hint = suggestion(name, known) ?? `Kinds: ${known.join(', ')}.`;
      throw at.bad(`: there is no kind ${JSON.stringify(name)}`, hint);
    });
  },
};
const said = textLike((given) => given.trim() !== '', 'text');
const ruleMembers = {
  id: described(
    'Lower-case words with hyphens, unique in the project.',
    textLike(isPolicyId, 'lower-case words with hyphens, such as two-replicas'),
  ),
  kind,
  severity: optional(
    described('error (the default) refuses; warning is a note of the plan.', choice('error', 'warning')),
  ),
  message: optional(described('What is wrong. Default: the condition in words.', said)),
  fix: optional(described('What to do about it.', said)),
};

/** A policy as data. What its condition may compare with depends on its kinds and its path. */
export const ruleReader: Reader<Rule> = {
  schema: object({
    ...ruleMembers,
    kind: described('The kind of the resources that it is about, or a list of kinds.', kind),
    ...pathMembers,
    ...operatorsFor(undefined),
    when: optional(
      described(
        'Conditions, each with a path: the rule counts for a resource that meets all of them.',
        list({ schema: { type: 'object', required: ['path'] }, read: () => undefined }),
      ),
    ),
  }).schema,
  read(given, at) {
    const kinds =
      isObject(given) && own(given, 'kind') !== undefined ? kind.read(own(given, 'kind') ?? null, at.key('kind')) : [];
    const when = optional(list(whenReader(kinds), 'a list of conditions, each with a path'));
    return onPath({ ...ruleMembers, when }, kinds).read(given, at);
  },
};

function whenReader(kinds: readonly string[]): Reader<PathCondition> {
  return { schema: {}, read: (given, at) => onPath({}, kinds).read(given, at) };
}

/** An object with a path, a condition on what is there, and these members. */
function onPath<M extends Readonly<Record<string, Reader<unknown>>>>(members: M, kinds: readonly string[]) {
  return {
    read(given: JsonValue, at: At) {
      const quantity = isObject(given) ? quantityAt(given, kinds, at) : undefined;
      const expected = 'an object with a path and a condition';
      return condition(
        object({ ...members, ...pathMembers, ...operatorsFor(quantity) }, { expected, isStrict: true }).read(given, at),
        at,
      );
    },
  };
}

/** The unit of the field at the path of a condition. A path that leads nowhere in the schema is an error. */
function quantityAt(given: JsonObject, kinds: readonly string[], at: At): FieldFacts['quantity'] {
  const written = own(given, 'path');
  const segments = typeof written === 'string' ? parsePath(written) : undefined;
  if (segments === undefined) {
    const meant = written === undefined ? Object.keys(given).find((key) => suggest(key, ['path'])) : undefined;
    const instead = meant === undefined ? undefined : `Did you mean "path" in place of ${JSON.stringify(meant)}?`;
    throw at.key('path').bad('must be a path', instead ?? 'An example: path: spec.containers.*.image');
  }
  const [quantity] = kinds.map((each) => checkPath(each, segments, at.key('path')));
  return quantity;
}

function checkPath(kindName: string, segments: readonly PathSegment[], at: At): FieldFacts['quantity'] {
  const [first, second] = segments;
  if (first?.any === false && first.name === 'lifecycle') {
    const name = second === undefined || second.any ? undefined : second.name;
    if (name === undefined || lifecycleNames.includes(name)) return undefined;
    const hint = suggestion(name, lifecycleNames) ?? available(lifecycleNames);
    throw at.bad(`: lifecycle has no field ${JSON.stringify(name)}`, hint);
  }
  if (!isDeclarable(kindName) || (first?.any === false && (first.name === 'gvc' || first.name === 'kind')))
    return undefined;
  const { followed, places } = followPath(shapeOf(kindName), {}, segments);
  const stuck = segments[followed];
  if (stuck === undefined) return places[0]?.shape?.facts.quantity;
  const isItem = stuck.any && followed === segments.length - 1 && places.some(({ shape }) => shape?.type === 'list');
  if (isItem) return undefined; // of a list of texts: they have no name of their own
  const names = [...new Set(places.flatMap(({ shape }) => (shape?.type === 'object' ? [...shape.fields.keys()] : [])))];
  const around = segments.slice(0, followed).map((segment) => (segment.any ? '*' : segment.name));
  const name = stuck.any ? '*' : stuck.name;
  const of = around.length === 0 ? kindName : `${around.join('.')} of a ${kindName}`;
  const known = names.length === 0 ? undefined : `Known here: ${names.toSorted().join(', ')}.`;
  throw at.bad(`: ${of} has no field ${JSON.stringify(name)}`, suggestion(name, names) ?? known);
}
