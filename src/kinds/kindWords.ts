import { withArticle } from '../base/text/article.ts';
import { isKnownKind, type Kind } from '../schema/record/kinds.ts';
import type { Sheet } from './common/sheet.ts';
import { sheets } from './list.ts';

type KindWords = Pick<Sheet, 'singular' | 'plural' | 'about'>;

export function wordsOf(kind: Kind): KindWords {
  return isKnownKind(kind)
    ? sheets[kind]
    : { singular: kind, plural: `records of kind ${kind}`, about: 'A custom kind.' };
}

/** The kind with an article: `an agent`. */
export function aKind(kind: Kind): string {
  return withArticle(wordsOf(kind).singular);
}
