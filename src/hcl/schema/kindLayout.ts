import { present } from '../../base/json/present.ts';
import { onceFor, onceForObject } from '../../base/once.ts';
import { isEmpty } from '../../kinds/equal.ts';
import { definitionOf, shapeOf, variantsOf } from '../../kinds/shapeOf.ts';
import type { Answer } from '../../schema/facts/fieldFacts.ts';
import type { KnownKind } from '../../schema/record/kinds.ts';
import type { ListShape, ObjectShape, Shape } from '../../schema/shape/shape.ts';
import { shapeOfNode } from '../../schema/shape/shapeOfNode.ts';
import { type ChoiceForm, type EntriesForm, type Form, isLeaf, type Member, type ObjectForm } from './form.ts';
import { attributeName, topLevelName } from './names.ts';

/** The attributes of a kind, both those that a configuration sets and those that only the platform sets. */
export interface KindLayout {
  /** The fields that a configuration can set, including `name` and `tags`. */
  readonly record: ObjectForm;
  /** The fields that only the platform sets and that change only with those of the record: identifiers, addresses. */
  readonly lastingAnswers: readonly Member[];
  /** All fields that only the platform sets, including times, versions and health. */
  readonly allAnswers: readonly Member[];
}

/** The names and forms of a kind, built from its definition once. */
export const layoutOf = onceFor((kind: KnownKind): KindLayout => {
  const shape = shapeOf(kind);
  const node = definitionOf(kind);
  const members = [...shape.fields].flatMap(([field, inside]) =>
    inside.facts.responseOnly === true
      ? []
      : (choiceMember(kind, field, inside) ??
        membersOf({ field, name: topLevelName(field), node: at(node, field), shape: inside }, shape)),
  );
  return {
    record: { is: 'object', shape, members },
    lastingAnswers: answeredMembers(kind, 'lasting'),
    allAnswers: answeredMembers(kind, 'all'),
  };
});

/** The value of a secret, whose form depends on its type; undefined for other kinds. */
export function choiceOf(kind: KnownKind): (Member & { readonly form: ChoiceForm }) | undefined {
  return layoutOf(kind).record.members.flatMap((member) =>
    member.form.is === 'choice' ? [{ ...member, form: member.form }] : [],
  )[0];
}

/** A node of a definition, as plain JSON Schema. */
type Node = object | undefined;

function objectForm(node: Node, shape: ObjectShape): ObjectForm {
  const members = [...shape.fields].flatMap(([field, inside]) =>
    inside.facts.responseOnly === true
      ? []
      : membersOf({ field, name: attributeName(field), node: at(node, field), shape: inside }, shape),
  );
  return { is: 'object', shape, members, ...(shape.open === true ? { others: 'other_settings' } : {}) };
}

/** A field of an object, and its attribute name. */
interface Field {
  readonly field: string;
  readonly name: string;
  readonly node: Node;
  readonly shape: Shape;
}

/** One attribute; several if values of more than one type are allowed. */
function membersOf({ field, name, node, shape }: Field, around: ObjectShape): readonly Member[] {
  const alternative = (suffix: string, is: 'text' | 'number' | 'bool' | 'json'): Member => ({
    name: `${name}${suffix}`,
    field,
    form: { is, shape },
    presence: 'optional',
    isAlternative: true,
  });
  if (
    shape.type === 'scalar' &&
    shape.of === 'any' &&
    shape.facts.asText !== true &&
    shape.facts.quantity === undefined
  )
    return [alternative('', 'text'), alternative('_number', 'number'), alternative('_bool', 'bool')];
  if (shape.type === 'free' && takesTextAndObject(node)) return [alternative('', 'text'), alternative('_json', 'json')];
  const isRequired = around.required?.has(field) === true;
  return [
    {
      name,
      field,
      form: formOf(node, shape),
      presence: isRequired ? 'required' : isFilled(shape) ? 'filled' : 'optional',
    },
  ];
}

export function formOf(node: Node, shape: Shape): Form {
  switch (shape.type) {
    case 'scalar':
      return { is: shape.of === 'number' ? 'number' : shape.of === 'boolean' ? 'bool' : 'text', shape };
    case 'free':
      return { is: 'json', shape };
    case 'object':
      return objectForm(node, shape);
    case 'list': {
      const item = formOf(child(node, 'items'), shape.item);
      if (isLeaf(item)) return { is: 'list', shape, item };
      return item.is === 'object' ? (entriesForm(shape, item) ?? { is: 'list', shape, item }) : { is: 'json', shape };
    }
    case 'map': {
      const value = formOf(child(node, 'additionalProperties'), shape.value);
      return isLeaf(value) || value.is === 'object' ? { is: 'map', shape, value } : { is: 'json', shape };
    }
  }
}

/** Whether the items of the list consist of a name and an optional text. */
function entriesForm(shape: ListShape, { members, others }: ObjectForm): EntriesForm | undefined {
  const { list } = shape.facts;
  const [part, ...more] = list?.class === 'keyed' && list.key.compare === undefined ? list.key.parts : [];
  const name = members.find(({ field }) => part?.fields.length === 1 && part.fields[0] === field);
  const [value, ...rest] = members.filter((member) => member !== name);
  if (name?.form.is !== 'text' || value?.form.is !== 'text' || value.presence !== 'optional') return undefined;
  if (more.length > 0 || rest.length > 0 || others !== undefined) return undefined;
  return { is: 'entries', shape, key: name.field, field: value.field, value: value.form };
}

/** `data` of a secret, whose form depends on `type`. */
function choiceMember(kind: KnownKind, field: string, shape: Shape): readonly Member[] | undefined {
  const variant = variantsOf(kind);
  if (variant?.field !== field) return undefined;
  const choices = Object.entries(variant.definitions).map(([value, definition]) => ({
    value,
    name: attributeName(value),
    form: formOf(definition, shapeOfNode(definition)),
  }));
  return [
    { name: attributeName(field), field, form: { is: 'choice', shape, by: variant.by, choices }, presence: 'filled' },
  ];
}

function at(node: Node, field: string): Node {
  return child(child(node, 'properties'), field);
}

function child(node: Node, keyword: string): Node {
  const value: unknown = node === undefined ? undefined : Reflect.get(node, keyword);
  return typeof value === 'object' && value !== null ? value : undefined;
}

function takesTextAndObject(node: Node): boolean {
  const type: unknown = node === undefined ? undefined : Reflect.get(node, 'type');
  return Array.isArray(type) && type.includes('string') && type.includes('object');
}

/** Whether an omitted field has a value: its default, or one that the platform fills in. */
function isFilled(shape: Shape): boolean {
  const { facts } = shape;
  switch (facts.fill) {
    case 'service':
    case 'derived':
    case 'operational':
    case 'irremovable':
      return true;
    case 'constant':
      return shape.type === 'object' ? isPartlyFilled(shape) : facts.default !== undefined && !isEmpty(facts.default);
    default:
      return shape.type === 'object' && isPartlyFilled(shape);
  }
}

/** Whether the platform fills in a part of an omitted object. Defaults alone are not stored. */
const isPartlyFilled = onceForObject((shape: ObjectShape): boolean =>
  [...shape.fields.values()].some(
    (field) => field.facts.responseOnly !== true && field.facts.fill !== 'constant' && isFilled(field),
  ),
);

/** Expressed by the type of the resource, the attribute `link`, and the attribute `gvc`. */
const expressedElsewhere: ReadonlySet<string> = new Set(['kind', 'links', 'gvc']);

const unknownAnswer: Answer = { is: 'json' };

/**
 * The attributes of a record that only the platform sets. `lasting`: those that change only with fields of the record,
 * for resources. Others would be a change in every refresh, so only data sources have them: `all`.
 */
function answeredMembers(kind: KnownKind, which: 'lasting' | 'all'): readonly Member[] {
  return [...shapeOf(kind).fields].flatMap(([field, shape]) =>
    shape.facts.responseOnly === true && !expressedElsewhere.has(field)
      ? memberOf({ name: topLevelName(field), field }, answerOf(shape), shape, which)
      : [],
  );
}

/** Items without their secret parts, which are shown only once, to their creator. */
function answerOf(shape: Shape): Answer {
  if (shape.facts.answer !== undefined) return shape.facts.answer;
  if (shape.type === 'scalar') return { is: 'text' };
  if (shape.type !== 'list' || shape.item.type !== 'object') return unknownAnswer;
  const shown = [...shape.item.fields].filter(([, { facts }]) => facts.sensitive !== true);
  const members = shown.map(([field, inside]) => [field, answerOf(inside)] as const);
  return { is: 'list', item: { is: 'object', members: Object.fromEntries(members) } };
}

function memberOf(
  { name, field }: Pick<Member, 'name' | 'field'>,
  answer: Answer,
  shape: Shape,
  which: 'lasting' | 'all',
): readonly Member[] {
  const form = answeredForm(answer, shape, which);
  if (form === undefined) return [];
  const { about, follows, isShownOnce } = answer;
  return [
    {
      name,
      field,
      form,
      presence: 'answered',
      ...present({ about, follows, isShownOnce }),
    },
  ];
}

const noShape: Shape = { type: 'free', facts: {} };
const secretShape: Shape = { type: 'free', facts: { sensitive: true } };

/** Undefined if nothing of it lasts. */
function answeredForm(answer: Answer, shape: Shape, which: 'lasting' | 'all'): Form | undefined {
  if (answer.is === 'object') return answeredObject(answer.members, which);
  if (which === 'lasting' && answer.follows === undefined) return undefined;
  if (answer.is !== 'list') {
    return { is: answer.is === 'flag' ? 'bool' : answer.is, shape: answer.sensitive === true ? secretShape : shape };
  }
  const item = answeredForm(answer.item, noShape, which === 'all' || answer.item.is === 'object' ? which : 'all');
  if (item === undefined || !(isLeaf(item) || item.is === 'object')) return undefined;
  return { is: 'list', shape: { type: 'list', item: item.shape, facts: {} }, item };
}

function answeredObject(answers: Readonly<Record<string, Answer>>, which: 'lasting' | 'all'): ObjectForm | undefined {
  const members = Object.entries(answers).flatMap(([field, answer]) =>
    memberOf({ name: attributeName(field), field }, answer, noShape, which),
  );
  const shape: ObjectShape = { type: 'object', fields: new Map(), facts: {} };
  return members.length === 0 ? undefined : { is: 'object', shape, members };
}
