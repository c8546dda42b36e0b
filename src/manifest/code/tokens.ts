/** One word or sign of a program. */
export interface Token {
  /** `string` without escapes or substitutions is read; whatever else has quotes, backticks or slashes is `other`. */
  readonly type: 'name' | 'string' | 'sign' | 'other';
  /** Of a string: without its quotes. */
  readonly text: string;
  readonly start: number;
}

/** Words after which a slash begins a regular expression. */
const beforeRegExp: ReadonlySet<string> = new Set(['return', 'typeof', 'case', 'in', 'of', 'delete', 'void', 'throw']);
const name = /[\p{ID_Start}$_#][\p{ID_Continue}$\u200c\u200d]*/uy;
const number = /\d[\w.]*/y;
const regExp = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y;

/** The tokens of a program in TypeScript or JavaScript. Whatever the text is, it comes to an end. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const next = skipSpace(text, at);
    if (next > at) {
      at = next;
      continue;
    }
    const token = tokenAt(text, at, tokens.at(-1));
    tokens.push({ type: token.type, text: token.text, start: at });
    at = token.end;
  }
  return tokens;
}

type Word = Pick<Token, 'type' | 'text'>;
type Read = Word & { readonly end: number };

function tokenAt(text: string, at: number, before: Word | undefined): Read {
  const sign = text[at] ?? '';
  if (sign === "'" || sign === '"') return quoted(text, at);
  if (sign === '`') return { type: 'other', text: '`', end: afterTemplate(text, at) };
  const word = match(name, text, at) ?? match(number, text, at);
  if (word !== undefined) return { type: /^\d/.test(word) ? 'other' : 'name', text: word, end: at + word.length };
  if (sign === '/' && !endsValue(before)) {
    const pattern = match(regExp, text, at);
    if (pattern !== undefined) return { type: 'other', text: '/', end: at + pattern.length };
  }
  if (text.startsWith('...', at)) return { type: 'sign', text: '...', end: at + 3 };
  if (text.startsWith('=>', at)) return { type: 'sign', text: '=>', end: at + 2 };
  return { type: 'sign', text: sign, end: at + 1 };
}

/** After a value a slash divides. */
function endsValue(before: Word | undefined): boolean {
  if (before === undefined) return false;
  if (before.type === 'sign') return before.text === ')' || before.text === ']' || before.text === '}';
  return !(before.type === 'name' && beforeRegExp.has(before.text));
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function skipSpace(text: string, at: number): number {
  if (/\s/.test(text[at] ?? '')) return at + 1;
  if (text.startsWith('//', at)) return endOf(text, '\n', at);
  return text.startsWith('/*', at) ? endOf(text, '*/', at + 2) : at;
}

function endOf(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  return found === -1 ? text.length : found + end.length;
}

function quoted(text: string, at: number): Read {
  const quote = text[at];
  let plain = true;
  let end = at + 1;
  for (; end < text.length && text[end] !== quote && text[end] !== '\n'; end += 1) {
    if (text[end] !== '\\') continue;
    plain = false;
    end += 1;
  }
  return { type: plain ? 'string' : 'other', text: text.slice(at + 1, end), end: Math.min(end + 1, text.length) };
}

function afterTemplate(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && text[end] !== '`') {
    if (text[end] === '\\') end += 2;
    else if (text.startsWith('${', end)) end = afterSubstitution(text, end + 2);
    else end += 1;
  }
  return Math.min(end + 1, text.length);
}

function afterSubstitution(text: string, from: number): number {
  let open = 1;
  let before: Word | undefined;
  for (let at = from; at < text.length; ) {
    const next = skipSpace(text, at);
    if (next > at) {
      at = next;
      continue;
    }
    const token = tokenAt(text, at, before);
    before = token;
    at = token.end;
    if (token.type !== 'sign') continue;
    if (token.text === '{') open += 1;
    if (token.text === '}') open -= 1;
    if (open === 0) return at;
  }
  return text.length;
}
