import { eastAsianWidth } from 'get-east-asian-width';
import { once } from '../base/once.ts';

const plain = /^[\x20-\x7e]*$/;

// Made when they are needed, which most texts do not: to make them takes 17 ms.
const segmenter = once(() => new Intl.Segmenter());
const emoji = once(() => /^\p{RGI_Emoji}$/v);
const unseen = once(() => /^[\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{Mark}\p{Surrogate}]+$/u);

/** Characters as a reader counts them. */
function charactersOf(text: string): readonly string[] {
  return Array.from(segmenter().segment(text), ({ segment }) => segment);
}

function widthOf(character: string): number {
  if (unseen().test(character)) return 0;
  return emoji().test(character) ? 2 : eastAsianWidth(character.codePointAt(0) ?? 0);
}

/** The columns of a terminal that a text of one line takes: two for each character of East Asia and emoji. */
export function textWidth(text: string): number {
  if (plain.test(text)) return text.length;
  return charactersOf(text).reduce((sum, character) => sum + widthOf(character), 0);
}

/** With blanks behind it up to so many columns. */
export function padText(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

/** As much of the beginning as fits into so many columns. */
export function startOf(text: string, width: number): string {
  if (plain.test(text)) return text.slice(0, Math.max(0, width));
  return taken(charactersOf(text), width).join('');
}

/** As much of the end as fits into so many columns. */
export function endOf(text: string, width: number): string {
  if (plain.test(text)) return text.slice(text.length - Math.min(text.length, Math.max(0, width)));
  return taken(charactersOf(text).toReversed(), width).toReversed().join('');
}

function taken(characters: readonly string[], width: number): readonly string[] {
  let room = width;
  const first = characters.findIndex((character) => {
    room -= widthOf(character);
    return room < 0;
  });
  return first < 0 ? characters : characters.slice(0, first);
}
