import { EVENT_ID, type Event, SCALAR_STYLE } from 'js-yaml';
import type { BoundProblem } from './yamlBounds.ts';
import { startOf } from './yamlPositions.ts';

/**
 * What YAML reads in another way than it was written: keys that are not text and would be turned into text again (`1.10`
 * into `1.1`), a second `<<` in one mapping, and text of an older version of YAML.
 */
export function yamlKeys(source: string, events: readonly Event[]): readonly BoundProblem[] {
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
