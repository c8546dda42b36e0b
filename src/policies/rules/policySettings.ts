import {
  At,
  choice,
  converted,
  described,
  dictionary,
  flag,
  integer,
  json,
  list,
  map,
  object,
  optional,
  optionals,
  type Reader,
  sentenceOf,
  text,
  textLike,
  tryRead,
} from '../../base/form/read.ts';
import { fieldIn, isArray, isObject, type JsonObject, type JsonValue, own } from '../../base/json/json.ts';
import { durationWithUnitMs } from '../../base/text/duration.ts';
import { isDay } from '../../base/text/instant.ts';
import { suggest } from '../../base/text/suggest.ts';
import { available, suggestion } from '../../base/text/suggestion.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import { lifecycleNames } from '../../manifest/lifecycleBlock.ts';
import { fileProblem, type LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { Locate, Position } from '../../manifest/model/manifest.ts';
import { followPath } from '../../manifest/pathPlaces.ts';
import type { FieldFacts } from '../../schema/facts/fieldFacts.ts';
import { declarableKinds, isDeclarable } from '../../schema/record/kinds.ts';
import { type PathSegment, parsePath } from '../../schema/shape/paths.ts';
import { amount } from './condition.ts';
import { isPolicyId } from './policy.ts';
import { type Condition, operators, type PathCondition, type Rule } from './rule.ts';

/** Allows the findings of a policy on one resource, for a time. */
export interface PolicyException {
  readonly policy: string;
  /** `kind/[gvc/]name`. */
  readonly resource: string;
  readonly reason: string;
  /** The last day on which it is valid, in UTC: `2027-01-31`. */
  readonly until: string;
  /** The position in the settings. */
  readonly position: Position;
}

/** `policies` of `gantry.yaml`. */
export interface PolicySettings {
  /** `starter`, or ids of its policies. */
  readonly use: readonly string[];
  /** Files, folders and globs with policies as code, as they are written; undefined for `policies/`, if it exists. */
  readonly files: readonly string[] | undefined;
  readonly rules: readonly Rule[];
  /** Paths of files whose content policies receive, by name. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly exceptions: readonly PolicyException[];
  /** For each policy. */
  readonly timeoutMs: number;
  /** For all policies together, in MiB. */
  readonly memoryMb: number;
}

export interface ReadPolicySettings {
  /** The settings, without invalid ones. */
  readonly settings: PolicySettings;
  readonly problems: readonly LocatedProblem[];
}

const name = textLike((given) => given !== '', 'text');
const exception = object(
  {
    policy: textLike((given) => given !== '', 'the id of a policy'),
    resource: textLike(
      (given) => /^[a-z-]+\/[^/]+(\/[^/]+)?$/.test(given),
      'the id of a resource, such as workload/shop/web',
    ),
    reason: map(
      textLike((given) => given.trim() !== '', 'text: why the policy does not hold for this resource'),
      (given) => given.trim(),
    ),
    until: textLike(isDay, 'the last day on which it holds, such as 2027-01-31', { type: 'string', format: 'date' }),
  },
  { example: 'An example: {policy: images-pinned, resource: workload/shop/web, reason: "…", until: 2027-01-31}' },
);

const longestTimeoutMs = 600_000;
const timeout = converted(
  (given) => {
    const ms = typeof given === 'string' ? durationWithUnitMs(given) : undefined;
    return ms !== undefined && ms > 0 && ms <= longestTimeoutMs ? ms : undefined;
  },
  'a duration of at most 10m, such as 30s',
  { type: 'string' },
);

/** The maximum depth of nested conditions. */
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

const pathMembers = {
  path: described('Where the value is, such as spec.containers.*.image; * matches each item or key.', text),
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

/** A policy as data. The values that its condition may compare with depend on its kinds and its path. */
const ruleReader: Reader<Rule> = {
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

const members = {
  use: described('Policies that come along: starter, or single ids of it.', list(name, 'a list such as [starter]')),
  files: described(
    'Files and folders of policies as code, in place of policies/.',
    list(name, 'a list of paths such as [../shared/policies]'),
  ),
  inputs: described(
    'Files of the project whose content policies as code get as context.inputs, by name: JSON, YAML or text.',
    map(
      dictionary(
        textLike((given) => given !== '', 'the path of a file'),
        {
          expected: 'names with paths of files, such as {registries: policies/registries.json}',
        },
      ),
      Object.fromEntries<string>,
    ),
  ),
  timeout: described('For each policy. Default: 10s.', timeout),
  // The interpreter can address 2 GiB.
  memory: described('For all policies together, in MiB.', integer({ least: 64, most: 2048 })),
  rules: described('Policies as data.', list(ruleReader)),
  exceptions: list(
    { ...exception, read: (given: JsonValue, at: At) => ({ ...exception.read(given, at), pointer: at.pointer }) },
    'a list of exceptions',
  ),
};

const whole = object(optionals(members), { expected: 'an object such as {use: [starter]}' });

/** The JSON Schema of `policies`. */
export const policySettingsSchema: JsonObject = { ...whole.schema, type: ['object', 'null'] };

/** The settings, and all of their problems with positions. */
export function readPolicySettings(given: JsonValue | undefined, locate: Locate): ReadPolicySettings {
  const at = new At().key('policies');
  const read = tryRead(() => (given === undefined || given === null ? {} : whole.read(given, at)));
  const problems = ('problems' in read ? read.problems : []).map((problem) =>
    fileProblem(locate(problem.pointer), 'policies.settings', sentenceOf(problem), problem.hint),
  );
  const member = <T>(key: string, reader: Reader<T>): T | undefined => {
    const value = fieldIn(given, key);
    if (value === undefined || value === null) return undefined;
    const result = tryRead(() => reader.read(value, at.key(key)));
    return 'value' in result ? result.value : undefined;
  };
  const settings = {
    use: member('use', members.use) ?? [],
    files: member('files', members.files),
    rules: member('rules', members.rules) ?? [],
    inputs: member('inputs', members.inputs) ?? {},
    exceptions: (member('exceptions', members.exceptions) ?? []).map(({ pointer, ...rest }) => ({
      ...rest,
      position: locate(pointer),
    })),
    timeoutMs: member('timeout', members.timeout) ?? 10_000,
    memoryMb: member('memory', members.memory) ?? 1024,
  };
  return { settings, problems };
}

/** The operators of a condition. `quantity`: the unit of the field. */
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

function whenReader(kinds: readonly string[]): Reader<PathCondition> {
  return { schema: {}, read: (given, at) => onPath({}, kinds).read(given, at) };
}

/** An object with a path, a condition on its values, and these members. */
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

/** The unit of the field at the path of a condition. A path that is not in the schema is an error. */
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
  if (isItem) return undefined; // an item of a list of texts has no name
  const names = [...new Set(places.flatMap(({ shape }) => (shape?.type === 'object' ? [...shape.fields.keys()] : [])))];
  const around = segments.slice(0, followed).map((segment) => (segment.any ? '*' : segment.name));
  const name = stuck.any ? '*' : stuck.name;
  const of = around.length === 0 ? kindName : `${around.join('.')} of a ${kindName}`;
  const known = names.length === 0 ? undefined : `Known here: ${names.toSorted().join(', ')}.`;
  throw at.bad(`: ${of} has no field ${JSON.stringify(name)}`, suggestion(name, names) ?? known);
}
