/** One line of a `.gitignore`. */
export interface IgnorePattern {
  /** `!`: what an earlier line leaves out is read again. */
  readonly again: boolean;
  /** Ends in `/`. */
  readonly foldersOnly: boolean;
  /** Of the path below the folder of the file, with `/`. */
  readonly matches: RegExp;
}

/** The lines of a `.gitignore` or `.gantryignore`, as git reads them (gitignore(5)). */
export function parseIgnoreFile(text: string): readonly IgnorePattern[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .flatMap((line) => {
      const pattern = parseLine(line);
      return pattern === undefined ? [] : [pattern];
    });
}

function parseLine(line: string): IgnorePattern | undefined {
  if (line.startsWith('#')) return undefined;
  const again = line.startsWith('!');
  const trimmed = withoutTrailingSpaces(again ? line.slice(1) : line);
  const foldersOnly = /[^\\]\/$|^\/$/.test(trimmed);
  const path = foldersOnly ? trimmed.slice(0, -1) : trimmed;
  if (path === '') return undefined;
  const source = regExpOf(path);
  return source === undefined ? undefined : { again, foldersOnly, matches: source };
}

/** A space after a backslash stays. */
function withoutTrailingSpaces(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === ' ' && text[end - 2] !== '\\') end -= 1;
  return text.slice(0, end);
}

/** Undefined for what git matches with nothing. */
function regExpOf(path: string): RegExp | undefined {
  // A slash at the beginning or in the middle ties the pattern to the folder of the file.
  const tied = path.includes('/');
  const segments = (path.startsWith('/') ? path.slice(1) : path).split('/');
  let source = tied ? '^' : '(?:^|/)';
  for (const [index, segment] of segments.entries()) {
    const last = index === segments.length - 1;
    if (segment === '**') {
      source += last ? '.+' : '(?:[^/]+/)*';
      continue;
    }
    const glob = globSource(segment, `g${index}`);
    if (glob === undefined) return undefined;
    source += last ? glob : `${glob}/`;
  }
  try {
    return new RegExp(`${source}$`, 's');
  } catch {
    return undefined; // a range that ends before it begins
  }
}

/**
 * One segment of a path: `*`, `?`, `[a-z]` and escapes. What stands between two `*` is matched where it comes first and
 * never again elsewhere, so that no pattern takes long.
 */
function globSource(segment: string, group: string): string | undefined {
  const chunks: string[] = [];
  let source = '';
  for (let at = 0; at < segment.length; at += 1) {
    const character = segment[at] ?? '';
    if (character === '*') {
      while (segment[at + 1] === '*') at += 1;
      chunks.push(source);
      source = '';
    } else if (character === '?') {
      source += '[^/]';
    } else if (character === '[') {
      const set = readSet(segment, at);
      if (set === undefined) return undefined;
      source += set.source;
      at = set.end;
    } else if (character === '\\') {
      at += 1;
      if (at >= segment.length) return undefined;
      source += literal(segment[at] ?? '');
    } else {
      source += literal(character);
    }
  }
  const [first, ...middle] = chunks;
  if (first === undefined) return source;
  const inner = middle.map((chunk, index) => `(?=(?<${group}_${index}>[^/]*?${chunk}))\\k<${group}_${index}>`);
  return `${first}${inner.join('')}[^/]*${source}`;
}

interface CharacterSet {
  readonly source: string;
  readonly end: number;
}

const posixClasses: ReadonlyMap<string, string> = new Map([
  ['alpha', 'A-Za-z'],
  ['digit', '0-9'],
  ['alnum', 'A-Za-z0-9'],
  ['upper', 'A-Z'],
  ['lower', 'a-z'],
  ['space', '\\s'],
  ['xdigit', '0-9A-Fa-f'],
]);

function readSet(segment: string, start: number): CharacterSet | undefined {
  let at = start + 1;
  const inverted = segment[at] === '!' || segment[at] === '^';
  if (inverted) at += 1;
  let members = '';
  for (let first = true; at < segment.length; first = false) {
    const character = segment[at] ?? '';
    const [posix, name = ''] = /^\[:([a-z]+):\]/.exec(segment.slice(at)) ?? [];
    if (character === ']' && !first) return { source: `(?!/)[${inverted ? '^' : ''}${members}]`, end: at };
    if (posix !== undefined) {
      const range = posixClasses.get(name);
      if (range === undefined) return undefined;
      members += range;
      at += posix.length;
    } else if (character === '\\') {
      members += inSet(segment[at + 1] ?? '');
      at += 2;
    } else {
      const isRange = character === '-' && !first && segment[at + 1] !== ']';
      members += isRange ? '-' : inSet(character);
      at += 1;
    }
  }
  return undefined;
}

function literal(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
}

function inSet(character: string): string {
  return character.replace(/[\\\]^[-]/, '\\$&');
}
