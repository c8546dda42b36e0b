import { type Kind, kindNamed } from '../../schema/record/kinds.ts';
import type { ListShape, ObjectShape, Shape } from '../../schema/shape/shape.ts';
import { shapeOf } from '../../schema/shape/shapeOf.ts';
import { type Renaming, unchanged } from '../words/renaming.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { declaredKeys } from './declared.ts';
import { alone, type Member, type Place, placeOf } from './place.ts';
import { type SimplePlaces, userKeyed } from './simplePlaces.ts';

export interface RecordSurroundings {
  readonly vocabulary: Vocabulary;
  readonly simple: SimplePlaces;
  readonly query: (kind: Kind | undefined) => Place;
  /** What only the platform writes, in fields that no schema describes. */
  readonly answer: () => Place;
}

/** The places of records, by their schemas; each is made once. */
export function recordPlaces({ vocabulary, simple, query, answer }: RecordSurroundings): (kind: Kind) => Place {
  const { sealed, free, tagMap, proxy, name } = simple;
  const { text } = free;
  const outside = new Map<Shape, Place>();
  const inProxies = new Map<Shape, Place>();

  function shaped(shape: Shape, inProxy: boolean): Place {
    const known = inProxy ? inProxies : outside;
    const found = known.get(shape) ?? make(shape, inProxy);
    known.set(shape, found);
    return found;
  }

  function make(shape: Shape, inProxy: boolean): Place {
    const { spelling, responseOnly } = shape.facts;
    if (spelling === 'sealed') return sealed;
    if (spelling === 'tags') return tagMap;
    switch (shape.type) {
      case 'scalar':
        return spelling === undefined || spelling === 'proxy' || spelling === 'query' ? free : name[spelling];
      case 'free':
        return inProxy ? proxy : responseOnly === true ? answer() : free;
      case 'map':
        return placeOf({ text, child: () => shaped(shape.value, inProxy) });
      case 'list':
        return placeOf({
          text,
          isList: true,
          item: () => shaped(shape.item, inProxy),
          itemNames: () => itemNames(shape, inProxy),
        });
      case 'object':
        return ofObject(shape, inProxy || spelling === 'proxy');
    }
  }

  function ofObject(shape: ObjectShape, inProxy: boolean): Place {
    function child(key: string, member: Member): Place {
      const field = shape.fields.get(key);
      if (field === undefined) return (inProxy ? proxy : answer()).child(key, member);
      if (field.facts.spelling === 'query') return query(kindNamed(member('targetKind')));
      return inProxy && field.type === 'free' && userKeyed.has(key) ? free : shaped(field, inProxy);
    }
    return placeOf({ keys: declaredKeys(vocabulary, shape), text, child });
  }

  /** An item goes by its one key field, or is a plain value. */
  function itemNames(shape: ListShape, inProxy: boolean): Renaming {
    const item = shaped(shape.item, inProxy);
    const { list } = shape.facts;
    if (list?.class !== 'keyed') return item.text;
    const [part, second] = list.key.parts;
    const [field, other] = part?.fields ?? [];
    return field === undefined || other !== undefined || second !== undefined
      ? unchanged
      : item.child(field, alone).text;
  }

  return (kind) => shaped(shapeOf(kind), false);
}
