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
import type { JsonValue } from '../../base/json/json.ts';
import type { ManifestDocument } from '../model/document.ts';
import { fileProblem, type LocatedProblem } from '../model/locatedProblem.ts';
import { limits } from './limits.ts';
import type { ParsedText } from './parsedText.ts';
import { TextPositions } from './textPosition.ts';
import { yamlFault } from './yamlFault.ts';
import { anchorIn, startOf, YamlPlaces } from './yamlPositions.ts';

/** Core YAML 1.2: no dates, no binary, no custom tags; with merge keys, which many hand-written files use. */
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
  // js-yaml's core schema makes nothing but JSON values (and NaN and infinities, which are refused later).
  return values.map((value, index) => ({ value: value as JsonValue, ...sources(index) }));
}

type Sources = Required<Pick<ManifestDocument, 'locate' | 'written'>>;

/**
 * Positions are computed only if there is something to report: then the events are read again, once for all documents
 * of the file, so that normally only the text is kept in memory.
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
    return []; // JSON that is not YAML (a line to the left of its bracket): the place is the file's first line
  }
}

/** Messages of js-yaml and of the engine may quote the text, which may contain a secret: none of them is shown. */
function syntaxProblem(error: unknown, text: string, positions: TextPositions): LocatedProblem {
  const { reason = '', mark } = error instanceof YAMLException ? error : {};
  const position = mark?.position ?? 0;
  // js-yaml points behind the quote of a key and the star of an alias.
  const offset = /["'*]/.test(text[position - 1] ?? '') ? position - 1 : position;
  const { message, hint } = yamlFault(reason, text.slice(0, position + 1));
  return fileProblem(positions.at(offset), 'manifest.syntax', message, hint);
}

/**
 * Finds text that YAML reads in another way than it was written: keys that are not text and would be turned into text
 * again (`1.10` into `1.1`), a second `<<` in one mapping, and text of an older version of YAML.
 */
function yamlKeys(source: string, events: readonly Event[]): readonly BoundProblem[] {
  const problems: BoundProblem[] = [];
  /** For each open value: whether the next one in it is a key. Undefined where there are none. */
  const open: (boolean | undefined)[] = [];
  /** By depth: whether the open mapping has a `<<`. */
  const merges: boolean[] = [];

  for (const [index, event] of events.entries()) {
    if (event.type === EVENT_ID.POP) {
      open.pop();
      continue;
    }
    const isKey = open[open.length - 1];
    if (isKey !== undefined) open[open.length - 1] = !isKey;
    if (event.type === EVENT_ID.SCALAR) {
      if (!isKey || event.style !== SCALAR_STYLE.PLAIN) continue;
      if (source.slice(event.valueStart, event.valueEnd) === '<<') {
        if (merges[open.length] === true) problems.push(secondMerge(event.valueStart));
        merges[open.length] = true;
      }
      const what = notText(source.slice(event.valueStart, event.valueEnd));
      if (what !== undefined) problems.push(problemOf(source, event, events[index + 1], what));
    } else if (event.type !== EVENT_ID.ALIAS) {
      open.push(event.type === EVENT_ID.MAPPING ? true : undefined);
      merges[open.length] = false;
      if (event.type === EVENT_ID.DOCUMENT) problems.push(...olderVersion(source, event, events[index + 1]));
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

/** `<<` twice is a repeated key, which js-yaml accepts. */
function secondMerge(offset: number): BoundProblem {
  return {
    offset,
    rule: 'manifest.syntax',
    message: '<< is used twice in one mapping',
    hint: 'Merge several objects with one list: <<: [*a, *b].',
  };
}

/** Before 1.2, `yes`, `no`, `on` and `off` were true and false, and `0777` was octal. */
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
  // Without a value it may be a secret that lost its quotes: `password: {4711}`.
  const isShown = what !== 'empty' && !(value?.type === EVENT_ID.SCALAR && value.valueStart === value.valueEnd);
  return {
    offset: startOf(key) ?? startOf(value) ?? 0, // nothing is written: the place of its value
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
 * Limits that are checked on parsed events before they become values: scalars that are too long, and aliases that
 * expand to too many values or to themselves ("billion laughs").
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
