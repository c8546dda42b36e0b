import { definitions } from '../../schema/kinds/definitions.ts';
import type { ObjectShape, Shape } from '../../schema/shape/shape.ts';
import { shapeOf } from '../../schema/shape/shapeOf.ts';
import { type Renaming, steered } from '../words/renaming.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { answers, type Declared } from './answers.ts';

/** Every object whose fields are known: of all kinds, and of the platform's other answers. */
export function declaredObjects(): readonly Declared[] {
  const kinds = Object.keys(definitions).filter((name): name is keyof typeof definitions => name in definitions);
  return [...answers, ...kinds.flatMap((kind) => objectsIn(shapeOf(kind), kind, ''))];
}

function objectsIn(shape: Shape, kind: string, path: string): readonly Declared[] {
  switch (shape.type) {
    case 'object': {
      const below = [...shape.fields].flatMap(([name, field]) =>
        objectsIn(field, kind, path === '' ? name : `${path}.${name}`),
      );
      return [{ place: `${kind} ${path}`.trim(), names: [...shape.fields.keys()] }, ...below];
    }
    case 'list':
      return objectsIn(shape.item, kind, `${path}[]`);
    case 'map':
      return objectsIn(shape.value, kind, `${path}.*`);
    default:
      return [];
  }
}

/**
 * The keys of an object whose fields are known: a field without a neutral word stays, though its name be a word of
 * the installation.
 */
export function declaredKeys({ keys, field }: Vocabulary, shape: ObjectShape): Renaming {
  return steered(keys, new Map([...shape.fields.keys()].map((name) => [name, field(name)])));
}

/**
 * The keys of an answer that no schema describes: every field that the platform has anywhere is taken for one here.
 * Where the installation calls one as another is called elsewhere, both stay.
 */
export function answerKeys({ keys, field }: Vocabulary): Renaming {
  const known = new Set(declaredObjects().flatMap(({ names }) => names));
  const images = new Map([...known].map((name) => [name, name]));
  const taken = new Set(known);
  for (const name of known) {
    const image = field(name);
    if (taken.has(image)) continue;
    images.set(name, image);
    taken.add(image);
  }
  return steered(keys, images);
}
