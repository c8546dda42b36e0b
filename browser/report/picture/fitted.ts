/** As the style sheet has the texts of the picture. */
const fonts = { name: '600 13px', kind: '11px', frame: '600 12px' } as const;

const canvas = document.createElement('canvas').getContext('2d');

/**
 * A text that is no wider than so many pixels in the font that the reader has, with its middle left out where it has to
 * be: names of one kind differ at their ends.
 */
export function fitted(text: string, font: keyof typeof fonts, width: number): string {
  if (canvas === null) return text;
  canvas.font = `${fonts[font]} ${getComputedStyle(document.body).fontFamily}`;
  if (canvas.measureText(text).width <= width) return text;
  const characters = [...text];
  let [fits, tooMany] = [0, characters.length];
  while (tooMany - fits > 1) {
    const kept = (fits + tooMany) >> 1;
    if (canvas.measureText(cut(characters, kept)).width <= width) fits = kept;
    else tooMany = kept;
  }
  return cut(characters, fits);
}

function cut(characters: readonly string[], kept: number): string {
  const end = kept >> 1;
  return `${characters.slice(0, kept - end).join('')}…${end === 0 ? '' : characters.slice(-end).join('')}`;
}
