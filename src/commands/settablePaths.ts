import type { Shape } from '../schema/shape/shape.ts';
import { keyFieldOf } from './call/setPatch.ts';

/** The page of the kind lists deeper paths. */
const pathDepth = 6;

/**
 * Every path that `update --set` accepts, with `<name>` for names that the user chooses; lists end with `[]`. Fields
 * nested deeper than `depth` can be changed with `edit`.
 */
export function settablePaths(shape: Shape, depth = pathDepth): readonly string[] {
  return pathsBelow(shape, '', depth).filter((path) => path !== 'name');
}

function pathsBelow(shape: Shape, before: string, depth: number): readonly string[] {
  if (shape.facts.responseOnly === true) return [];
  const under = (name: string) => (before === '' ? name : `${before}.${name}`);
  if (depth === 0 && shape.type !== 'scalar') return [before];
  switch (shape.type) {
    case 'object':
      return [
        ...(shape.facts.orJsonText === true ? [before] : []),
        ...[...shape.fields].flatMap(([name, field]) => pathsBelow(field, under(name), depth - 1)),
      ];
    case 'map':
      return pathsBelow(shape.value, under('<key>'), depth - 1);
    case 'list': {
      const keyField = keyFieldOf(shape);
      if (keyField === undefined || shape.item.type !== 'object') return [`${before}[]`];
      const inner = pathsBelow(shape.item, under(`<${keyField}>`), depth - 1);
      return inner.filter((path) => !path.endsWith(`<${keyField}>.${keyField}`));
    }
    default:
      return [before];
  }
}
