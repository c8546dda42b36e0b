import {
  CORE_SCHEMA,
  constructFromEvents,
  EVENT_ID,
  type Event,
  mergeTag,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
} from 'js-yaml';
import type { JsonValue } from '../base/json/json.ts';
import { onceFor } from '../base/once.ts';
import { limits } from './limits.ts';
import { fileProblem, type LocatedProblem } from './model/locatedProblem.ts';
import type { ManifestDocument } from './model/manifest.ts';
import { type ParsedText, TextPositions } from './textPosition.ts';
import { anchorIn, startOf, YamlPlaces } from './yamlPositions.ts';

/** Core YAML 1.2: no dates, binary or custom tags; but merge keys, which many hand-written files use. */
const schema = CORE_SCHEMA.withTags(mergeTag);

/** Reads a YAML file of any number of documents. Errors are problems, never exceptions. */
export function parseYaml(text: string, file: string): ParsedText {
  const positions = new TextPositions(text, file);
  const placed = ({ offset, rule, message, hint }: BoundProblem) =>
    fileProblem(positions.at(offset), rule, message, hint);
  try {
    const events = parseEvents(text, { maxDepth: limits.depth });
    const bounds = yamlBounds(text, events);
    if (bounds.length > 0) {
      return { documents: [], problems: bounds.map(placed) };
    }
    const values = constructFromEvents(events, { source: text, schema });
    return { documents: yamlDocuments(values, text, positions), problems: yamlKeys(text, events).map(placed) };
  } catch (error) {
    return { documents: [], problems: [syntaxProblem(error, text, positions)] };
  }
}

function yamlDocuments(values: readonly unknown[], text: string, positions: TextPositions): ManifestDocument[] {
  const sources = lazySources(text, positions);
  // js-yaml's core schema makes only JSON values (and NaN and infinities, which are refused later).
  return values.map((value, index) => ({ value: value as JsonValue, ...sources(index) }));
}

type Sources = Required<Pick<ManifestDocument, 'locate' | 'written'>>;

/**
 * Positions are computed only if there is something to report: then the events are read again, once for all documents
 * of the file, so that normally only the text stays in memory.
 */
export function lazySources(text: string, positions: TextPositions): (document: number) => Sources {
  let known: YamlPlaces | undefined;
  const places = (): YamlPlaces => {
    known ??= new YamlPlaces(text, readEvents(text));
    return known;
  };
  return (document) => ({
    locate: (pointer, of) => positions.at(places().offsetOf(document, pointer, of)),
    written: (pointer) => places().writtenAt(document, pointer),
  });
}

function readEvents(text: string): readonly Event[] {
  try {
    return parseEvents(text, { maxDepth: limits.depth });
  } catch {
    return []; // JSON that is not YAML (a line left of its bracket): the place is the file's first line
  }
}

/** Messages of js-yaml and of the engine may quote the text, which may contain a secret, so none is shown. */
function syntaxProblem(error: unknown, text: string, positions: TextPositions): LocatedProblem {
  const { reason = '', mark } = error instanceof YAMLException ? error : {};
  const position = mark?.position ?? 0;
  // js-yaml's position is after the quote of a key and the star of an alias.
  const offset = /["'*]/.test(text[position - 1] ?? '') ? position - 1 : position;
  const { message, hint } = yamlFault(reason, text.slice(0, position + 1));
  return fileProblem(positions.at(offset), 'manifest.syntax', message, hint);
}

/**
 * Finds text that YAML reads differently than written: keys that are not text and would be converted back to text
 * (`1.10` to `1.1`), a second `<<` in one mapping, and text of an older version of YAML.
 */
function yamlKeys(source: string, events: readonly Event[]): readonly BoundProblem[] {
  const problems: BoundProblem[] = [];
  /** For each open value: whether the next one in it is a key; undefined without keys. */
  const open: (boolean | undefined)[] = [];
  const typeOf = onceFor(notText); // cached: manifests repeat their keys
  /** By depth: whether the open mapping has a `<<`. */
  const merges: boolean[] = [];

  let index = 0; // index of the next event
  for (const event of events) {
    index += 1;
    if (event.type === EVENT_ID.POP) {
      open.pop();
      continue;
    }
    const isKey = open[open.length - 1];
    if (isKey !== undefined) open[open.length - 1] = !isKey;
    if (event.type === EVENT_ID.SCALAR) {
      if (!isKey || event.style !== SCALAR_STYLE.PLAIN) continue;
      const key = source.slice(event.valueStart, event.valueEnd);
      if (key === '<<') {
        if (merges[open.length] === true) problems.push(secondMerge(event.valueStart));
        merges[open.length] = true;
      }
      const what = typeOf(key);
      if (what !== undefined) problems.push(problemOf(source, event, events[index], what));
    } else if (event.type !== EVENT_ID.ALIAS) {
      open.push(event.type === EVENT_ID.MAPPING ? true : undefined);
      merges[open.length] = false;
      if (event.type === EVENT_ID.DOCUMENT) problems.push(...olderVersion(source, event, events[index]));
    }
  }
  return problems;
}

const others: ReadonlyMap<string, string> = new Map([
  ['', 'empty'],
  ...['~', 'null', 'Null', 'NULL'].map((key) => [key, 'null'] as const),
  ...['true', 'True', 'TRUE', 'false', 'False', 'FALSE'].map((key) => [key, 'true or false'] as const),
]);
const number =
  /^(?:0o[0-7]+|0x[\da-fA-F]+|[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|[-+]?\.\d+(?:[eE][-+]?\d+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/** The type of a plain key that is not text (YAML 1.2, core schema). */
function notText(key: string): string | undefined {
  return others.get(key) ?? (number.test(key) ? 'a number' : undefined);
}

/** A second `<<` is a repeated key, which js-yaml accepts. */
function secondMerge(offset: number): BoundProblem {
  return {
    offset,
    rule: 'manifest.syntax',
    message: '<< is used twice in one mapping',
    hint: 'Merge several objects with one list: <<: [*a, *b].',
  };
}

/** Before YAML 1.2, `yes`, `no`, `on` and `off` were booleans, and `0777` was octal. */
function olderVersion(
  source: string,
  { directives }: Extract<Event, { readonly type: typeof EVENT_ID.DOCUMENT }>,
  content: Event | undefined,
): readonly BoundProblem[] {
  const older = directives.some((directive) => directive.kind === 'yaml' && directive.version !== '1.2');
  if (!older) return [];
  const before = content === undefined ? undefined : startOf(content);
  return [
    {
      offset: Math.max(0, source.lastIndexOf('%YAML', before ?? source.length)),
      rule: 'manifest.yaml-version',
      message:
        'this file is of another version of YAML than 1.2, in which words such as yes and no have another meaning',
      hint: 'Remove the line that begins with %YAML, and write true and false.',
    },
  ];
}

type Scalar = Extract<Event, { readonly type: typeof EVENT_ID.SCALAR }>;

function problemOf(source: string, key: Scalar, value: Event | undefined, what: string): BoundProblem {
  const written = source.slice(key.valueStart, key.valueEnd);
  // Without a value it may be an unquoted secret: `password: {4711}`.
  const isShown = what !== 'empty' && !(value?.type === EVENT_ID.SCALAR && value.valueStart === value.valueEnd);
  return {
    offset: startOf(key) ?? startOf(value) ?? 0, // an empty key has the place of its value
    rule: 'manifest.key-type',
    message: `${isShown ? `the key ${written}` : 'this key'} is ${what}, and keys are text`,
    hint: isShown ? `Put it in quotes: "${written}".` : 'Put it in quotes.',
  };
}

interface BoundProblem {
  readonly offset: number;
  readonly rule: string;
  readonly message: string;
  readonly hint: string;
}

/**
 * Limits checked on parsed events before they become values: scalars that are too long, and aliases that expand to too
 * many values or to themselves ("billion laughs").
 */
function yamlBounds(source: string, events: readonly Event[]): readonly BoundProblem[] {
  const problems: BoundProblem[] = [];
  const open: { readonly anchor: string; readonly before: number }[] = [];
  const sizes = new Map<string, number>();
  let nodes = 0;
  let aliased = 0;

  for (const event of events) {
    switch (event.type) {
      case EVENT_ID.SEQUENCE:
      case EVENT_ID.MAPPING: {
        const anchor = anchorIn(source, event);
        sizes.delete(anchor);
        open.push({ anchor, before: nodes });
        nodes += 1;
        break;
      }
      case EVENT_ID.SCALAR: {
        nodes += 1;
        sizes.set(anchorIn(source, event), 1);
        if (event.valueEnd - event.valueStart > limits.scalarLength) problems.push(tooLong(startOf(event) ?? 0));
        break;
      }
      case EVENT_ID.ALIAS: {
        const name = anchorIn(source, event);
        if (open.some((container) => container.anchor === name) && !sizes.has(name)) {
          return [...problems, circular(event.anchorStart - 1)];
        }
        const size = sizes.get(name) ?? 0;
        nodes += size;
        aliased += size;
        if (aliased > limits.aliasedNodes) return [...problems, explodes(event.anchorStart - 1)];
        break;
      }
      case EVENT_ID.POP: {
        const container = open.pop();
        if (container !== undefined) sizes.set(container.anchor, nodes - container.before);
        break;
      }
    }
  }
  return problems;
}

function tooLong(offset: number): BoundProblem {
  return {
    offset,
    rule: 'manifest.too-long',
    message: `one value has more than ${limits.scalarLength} characters`,
    hint: 'Store large content outside of manifests.',
  };
}

function explodes(offset: number): BoundProblem {
  return {
    offset,
    rule: 'manifest.aliases',
    message: `the aliases of this file expand to more than ${limits.aliasedNodes} values`,
    hint: 'Write the values out, or split the file.',
  };
}

function circular(offset: number): BoundProblem {
  return {
    offset,
    rule: 'manifest.aliases',
    message: 'this alias refers to a value that contains the alias',
    hint: 'Remove the alias: a manifest is a tree.',
  };
}

/** The fault of a text; its message never quotes the text, which may be a secret. */
interface Fault {
  readonly message: string;
  readonly hint: string;
}

type Row = readonly [reason: RegExp, message: string, hint?: string];

const correct = 'Correct the YAML at this place.';
const spaces = 'Indent with spaces, all entries of one list or object equally far.';

/**
 * Messages for js-yaml's reasons; the first match counts. Others get a general message, because a new version may quote
 * the text. Reasons that quote text (the name of a tag or an alias) quote a single word. It must not match a pattern of
 * one word, so this is bound to the beginning, or comes after the rows of those reasons.
 */
const rows: readonly Row[] = [
  [
    /^directive|(?:YAML|TAG) directive|YAML version|previously declared suffix/,
    'this directive (%) is not legal here',
    'Remove the line, or put text that begins with "%" in quotes.',
  ],
  [
    /unknown \w+ tag/,
    'this YAML tag is not supported',
    'Put text that begins with "!" in quotes; write a value without its tag.',
  ],
  [
    /cannot resolve a node/,
    'the value does not fit its YAML tag',
    'Put text that begins with "!" in quotes; write a value without its tag.',
  ],
  [
    /\btag (?:property|suffix|name|handle)\b|verbatim tag/,
    'this is not a YAML tag',
    'Put text that begins with "!" in quotes.',
  ],
  [
    /unidentified alias/,
    'there is no anchor for this alias',
    'Put text that begins with "*" in quotes, or define the anchor before it in the same document.',
  ],
  [/\balias node\b/, 'this is not an alias', 'Put text that begins with "*" in quotes.'],
  [/\banchor (?:property|node)\b/, 'this is not an anchor', 'Put text that begins with "&" in quotes.'],
  [/duplicated mapping key/, 'this key is used twice in one mapping', 'Remove one of the two.'],
  [/complex keys/, 'a key must be a single value', correct],
  [/cannot merge mappings/, '<< takes an object, or a list of objects', correct],
  [/merge sequence size|maxTotalMergeKeys/, '<< takes too many objects', 'Write the values out.'],
  [/nesting exceeded/, 'lists and objects are nested too deep', 'Make the value flatter.'],
  [/\btab characters\b/, 'a tab is used as indentation', 'Indent with spaces.'],
  [/\bindentation width\b|chomping mode/, 'this is not the head of a block of text (| or >)', correct],
  [/\bindentation\b/, 'the indentation does not fit what is above', spaces],
  [
    /missed comma/,
    'a comma is missing between two entries',
    'Put a comma between them, and text with special characters in quotes.',
  ],
  [/expected the node content/, 'a value is missing before this comma', 'Write the value, or remove the comma.'],
  [/within a flow collection/, 'a list or object is not closed', 'Close it with ] or }.'],
  [/within a (?:single|double) quoted/, 'a quoted text is not closed', 'Close it with the quote that it begins with.'],
  [
    /unknown escape|expected hexadecimal/,
    'this escape sequence is not known',
    'Write \\\\ for a backslash, or use single quotes.',
  ],
  [
    /valid JSON character|non-printable|null byte/,
    'there is a control character in the text',
    'Remove it, or write it as an escape in double quotes.',
  ],
  [/a line break is expected/, 'there is text where a line must end', correct],
  [/a whitespace character is expected/, 'a space is missing after the colon', 'Put a space after the colon.'],
  [
    /expected ':'/,
    'there is a line without a colon between key and value',
    'Write KEY: VALUE; put text of several lines in quotes.',
  ],
  [
    /multiline key/,
    'there is a line without a colon between key and value',
    'Write KEY: VALUE; put text of several lines in quotes.',
  ],
  [
    /document separator is expected/,
    'there is more text where the document ends',
    'Put "---" between documents, and text with special characters in quotes.',
  ],
];

const secondColon: Fault = {
  message: 'there is a second colon in this line, and the value is not in quotes',
  hint: 'Put the value in quotes, or the second key in a line of its own.',
};

/** Characters that cannot begin plain text, although js-yaml reports something else there. */
const reserved = /(?:^|[\s[{,])([@`%?])$/;

function reservedFirst(character: string): Fault {
  return {
    message: `text without quotes cannot begin with ${character}`,
    hint: 'Put it in quotes.',
  };
}

/** Maximum number of lines searched above. */
const mostLines = 200;

/** The bracket or quotation mark open at the end of these lines, and its line number. */
function unclosedBracket(lines: readonly string[]): { readonly mark: string; readonly line: number } {
  // Searched upwards: lines further up may be a block of text, in which brackets have no meaning.
  for (let at = lines.length - 1; at >= Math.max(0, lines.length - mostLines); at -= 1) {
    const mark = openMark(lines.slice(at).join('\n'));
    if (mark !== undefined) return { mark, line: at + 1 };
  }
  return { mark: 'bracket or quote', line: Math.max(1, lines.length - 1) };
}

/** Undefined if everything in the text is closed. */
function openMark(text: string): string | undefined {
  const open: string[] = [];
  // Matches quoted texts and comments as a whole. A quotation mark within a word is part of it.
  const marks = /(?<![^\s[{,:])(?:"(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?|#[^\n]*)|[[\]{}]/gs;
  for (const [found] of text.matchAll(marks)) {
    const [mark = ''] = found;
    if (mark === '[' || mark === '{') open.push(mark);
    else if (mark === ']' || mark === '}') open.pop();
    else if (mark !== '#' && (found.length === 1 || !found.endsWith(mark))) return mark;
  }
  return open.at(-1);
}

/** The message for a reason of js-yaml. `text`: everything up to and including the fault. */
function yamlFault(reason: string, text: string): Fault {
  const line = text.slice(text.lastIndexOf('\n', text.length - 2) + 1);
  if (/deficient indentation/.test(reason)) {
    const { mark, line: number } = unclosedBracket(text.slice(0, -1).split(/\r\n?|\n/));
    return {
      message: `the ${mark} on line ${number} is not closed before this line`,
      hint: 'Close it, or indent this line if it belongs to it.',
    };
  }
  if (/indentation of a mapping entry/.test(reason) && /:\s.*:$/.test(line)) return secondColon;
  const [, first] = reserved.exec(line) ?? [];
  if (first !== undefined && /indentation of a mapping entry|missed comma|document separator/.test(reason)) {
    return reservedFirst(first);
  }
  const [, message, hint] = rows.find(([pattern]) => pattern.test(reason)) ?? [];
  return { message: message ?? 'this is not YAML', hint: hint ?? correct };
}
