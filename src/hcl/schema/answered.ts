import { present } from '../../base/json/present.ts';
import { shapeOf } from '../../kinds/shape/shapeOf.ts';
import type { Answer } from '../../schema/facts/fieldFacts.ts';
import type { KnownKind } from '../../schema/record/kinds.ts';
import type { ObjectShape, Shape } from '../../schema/shape/shape.ts';
import { attributeName, topLevelName } from './attributeName.ts';
import { type Form, isLeaf, type Member, type ObjectForm } from './form.ts';

/** Said by the type of the resource, by the attribute `link`, and by the attribute `gvc`. */
const saidElsewhere: ReadonlySet<string> = new Set(['kind', 'links', 'gvc']);

const unknownAnswer: Answer = { is: 'json' };

/**
 * The attributes of a record that only the platform writes. `lasting`: those of a resource, which change with fields of the record
 * alone. What changes by itself would be a change in every refresh, so data sources have it: `all`.
 */
export function answeredMembers(kind: KnownKind, which: 'lasting' | 'all'): readonly Member[] {
  return [...shapeOf(kind).fields].flatMap(([field, shape]) =>
    shape.facts.responseOnly === true && !saidElsewhere.has(field)
      ? memberOf({ name: topLevelName(field), field }, shape.facts.answer ?? answerOf(shape), shape, which)
      : [],
  );
}

/** Items without their secret parts, which are shown once, to whoever made them. */
function answerOf(shape: Shape): Answer {
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
  const form = formOf(answer, shape, which);
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

/** Undefined: nothing of it lasts. */
function formOf(answer: Answer, shape: Shape, which: 'lasting' | 'all'): Form | undefined {
  if (answer.is === 'object') return objectForm(answer.members, which);
  if (which === 'lasting' && answer.follows === undefined) return undefined;
  if (answer.is !== 'list') {
    return { is: answer.is === 'flag' ? 'bool' : answer.is, shape: answer.sensitive === true ? secretShape : shape };
  }
  const item = formOf(answer.item, noShape, which === 'all' || answer.item.is === 'object' ? which : 'all');
  if (item === undefined || !(isLeaf(item) || item.is === 'object')) return undefined;
  return { is: 'list', shape: { type: 'list', item: item.shape, facts: {} }, item };
}

function objectForm(answers: Readonly<Record<string, Answer>>, which: 'lasting' | 'all'): ObjectForm | undefined {
  const members = Object.entries(answers).flatMap(([field, answer]) =>
    memberOf({ name: attributeName(field), field }, answer, noShape, which),
  );
  const shape: ObjectShape = { type: 'object', fields: new Map(), facts: {} };
  return members.length === 0 ? undefined : { is: 'object', shape, members };
}
