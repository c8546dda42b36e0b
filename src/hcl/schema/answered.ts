import type { KnownKind } from '../../schema/record/kinds.ts';
import type { ListShape, ObjectShape, Shape } from '../../schema/shape/shape.ts';
import { shapeOf } from '../../schema/shape/shapeOf.ts';
import { attributeName, topLevelName } from './attributeName.ts';
import type { Form, LeafForm, Member } from './form.ts';

/** The types of what the platform answers, as far as the schema leaves them open; the rest is shown as JSON text. */
const types: ReadonlyMap<string, LeafForm['is']> = new Map([
  ['id', 'text'],
  ['version', 'number'],
  ['created', 'text'],
  ['lastModified', 'text'],
  ['origin', 'text'],
  ['alias', 'text'],
  ['region', 'text'],
  ['unit', 'text'],
  ['current', 'number'],
  ['repository', 'text'],
  ['tag', 'text'],
  ['digest', 'text'],
]);

/** Said by the type of the resource, by the attribute `link`, and by the attribute `gvc`. */
const saidElsewhere: ReadonlySet<string> = new Set(['kind', 'links', 'gvc']);

/** The attributes of a record that only the platform writes. */
export function answeredMembers(kind: KnownKind): readonly Member[] {
  return [...shapeOf(kind).fields].flatMap(([field, shape]) =>
    shape.facts.responseOnly === true && !saidElsewhere.has(field)
      ? [{ name: topLevelName(field), field, form: answeredForm(field, shape), presence: 'answered' as const }]
      : [],
  );
}

function answeredForm(field: string, shape: Shape): Form {
  if (shape.type === 'list' && shape.item.type === 'object') return listForm(shape, shape.item);
  return { is: types.get(field) ?? (shape.type === 'scalar' ? 'text' : 'json'), shape };
}

/** Items without their secret parts, which are shown once, to whoever made them. */
function listForm(shape: ListShape, item: ObjectShape): Form {
  const members = [...item.fields].flatMap(([field, inside]): readonly Member[] =>
    inside.facts.sensitive === true
      ? []
      : [{ name: attributeName(field), field, form: answeredForm(field, inside), presence: 'answered' }],
  );
  return { is: 'list', shape, item: { is: 'object', shape: item, members } };
}

/** Fields of an answer that stay as they are for as long as the record lives (platform/gvc.alias); others change with time. */
export const lasting: ReadonlySet<string> = new Set(['id', 'created', 'origin', 'alias']);

export const changesWithEveryWrite: ReadonlySet<string> = new Set(['version', 'lastModified']);
