import { isArray, isObject, type JsonObject, type JsonValue, own } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import type { LinkFact } from '../../schema/facts/fieldFacts.ts';
import type { RecordContext } from '../../schema/record/context.ts';
import { type Subject, sharedView } from '../../schema/rules/rule.ts';
import { anywhere, isResponseOnly } from '../../schema/shape/anywhere.ts';
import { memoByShape } from '../../schema/shape/memoByShape.ts';
import type { ObjectShape, Shape } from '../../schema/shape/shape.ts';
import { shapeOf } from '../../schema/shape/shapeOf.ts';

/** A link as written, and the facts of its field. */
export interface WrittenLink {
  readonly text: string;
  readonly fact: LinkFact;
  readonly pointer: Pointer;
}

/** The links of a record and the keys that users chose, found by its shape. */
export interface Fields {
  readonly kind: Subject['kind'];
  readonly context: RecordContext;
  readonly links: readonly WrittenLink[];
  readonly chosenKeys: readonly Pointer[];
}

export const fieldsOf = sharedView(({ kind, record, context }: Subject): Fields => {
  const links: WrittenLink[] = [];
  const chosenKeys: Pointer[] = [];
  walk(shapeOf(kind, record), record, [], links, chosenKeys);
  return { kind, context, links, chosenKeys };
});

/** `shape` is worth walking. */
function walk(shape: Shape, value: JsonValue, pointer: Pointer, links: WrittenLink[], chosenKeys: Pointer[]): void {
  switch (shape.type) {
    case 'scalar':
      if (typeof value === 'string' && shape.facts.link !== undefined) {
        links.push({ text: value, fact: shape.facts.link, pointer });
      }
      return;
    case 'object':
      if (!isObject(value)) return;
      for (const [key, field] of fieldsToWalk(shape)) {
        const member = own(value, key);
        if (member !== undefined) walk(field, member, [...pointer, key], links, chosenKeys);
      }
      return;
    case 'map':
      if (isObject(value)) walkMap(shape.value, value, pointer, links, chosenKeys);
      return;
    case 'list':
      if (!isArray(value)) return;
      for (const [index, item] of value.entries()) walk(shape.item, item, [...pointer, index], links, chosenKeys);
      return;
    case 'free':
      return;
  }
}

function walkMap(shape: Shape, value: JsonObject, pointer: Pointer, links: WrittenLink[], chosenKeys: Pointer[]): void {
  for (const key of Object.keys(value)) {
    const place = [...pointer, key];
    chosenKeys.push(place);
    const member = own(value, key);
    if (member !== undefined && isWorthWalking(shape)) walk(shape, member, place, links, chosenKeys);
  }
}

/** Where no link and no key of a user can be there is nothing to look for. */
const isWorthWalking = anywhere(
  ({ type, facts }) => type === 'map' || (type === 'scalar' && facts.link !== undefined),
  isResponseOnly,
);

const fieldsToWalk = memoByShape((shape: ObjectShape) =>
  [...shape.fields].filter(([, field]) => isWorthWalking(field)),
);
