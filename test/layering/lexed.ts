export interface Lexed {
  /** Without comments, and with a number in quotes instead of every text and regular expression. */
  readonly code: string;
  readonly texts: readonly string[];
}

/** Tokens that can contain the marks of others: the first one to begin wins. A slash after a value divides. */
const piece = new RegExp(
  [
    String.raw`(?<comment>\/\*[\s\S]*?\*\/|\/\/.*)`,
    String.raw`'(?<single>(?:[^'\\\n]|\\[\s\S])*)'`,
    String.raw`"(?<double>(?:[^"\\\n]|\\[\s\S])*)"`,
    String.raw`(?<=(?:^|[(,=:[!&|?{};>]|\breturn)(?:\s|\/\/.*\n)*)\/(?<expression>(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/[a-z]*`,
    '(?<mark>[`{}])',
  ].join('|'),
  'g',
);

/** A part of a template, from its start or the end of a value, to the next value or its end. */
const template = /(?<part>(?:[^`\\$]|\\[\s\S]|\$(?!\{))*)(?<end>\$\{|`)/y;

export function lexed(text: string): Lexed {
  const texts: string[] = [];
  const code: string[] = [];
  const open: string[] = []; // The braces and templates that enclose the position.
  let at = 0;
  while (at < text.length) {
    piece.lastIndex = at;
    const found = piece.exec(text);
    code.push(text.slice(at, found?.index));
    if (found === null) break;
    at = piece.lastIndex;
    const { comment, single, double, expression, mark } = found.groups ?? {};
    if (comment !== undefined) continue;
    if (mark === undefined) {
      code.push(`'${texts.push(single ?? double ?? expression ?? '') - 1}'`);
      continue;
    }
    if (mark === '{') open.push(mark);
    if (mark !== '`') code.push(mark);
    if (mark === '{' || (mark === '}' && open.pop() !== '${')) continue;
    template.lastIndex = at;
    const { part = '', end = '' } = template.exec(text)?.groups ?? {};
    at += part.length + end.length;
    code.push(`'${texts.push(part) - 1}'`);
    if (end === '${') {
      open.push(end);
      code.push('{');
    }
  }
  return { code: code.join(''), texts };
}
