import { commonFieldWords } from './commonFieldWords.ts';
import { otherFieldWords } from './otherFieldWords.ts';
import { workloadFieldWords } from './workloadFieldWords.ts';

const words: Readonly<Record<string, string>> = { ...otherFieldWords, ...workloadFieldWords, ...commonFieldWords };

/**
 * What the description of the API says about a field, for those that `fieldDocs` leaves out: by the last names of its
 * path, list items and map values as `*`. The longest that is known counts.
 */
export function wordsOfField(path: string): string | undefined {
  const names = path.split('.');
  const ends = names.map((_, from) => names.slice(from).join('.'));
  const known = ends.find((end) => Object.hasOwn(words, end));
  return known === undefined ? undefined : words[known];
}
