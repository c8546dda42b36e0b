import { EVENT_ID, type Event, SCALAR_STYLE } from 'js-yaml';
import type { BoundProblem } from './yamlBounds.ts';
import { startOf } from './yamlPositions.ts';

/** Keys that YAML reads as another value than text, and that would be turned into text again: `1.10` into `1.1`. */
export function yamlKeys(source: string, events: readonly Event[]): readonly BoundProblem[] {
  const problems: BoundProblem[] = [];
  /** For each open value: whether the next one in it is a key. Undefined where there are none. */
  const open: (boolean | undefined)[] = [];

  for (const [index, event] of events.entries()) {
    if (event.type === EVENT_ID.POP) {
      open.pop();
      continue;
    }
    const isKey = open[open.length - 1];
    if (isKey !== undefined) open[open.length - 1] = !isKey;
    if (event.type === EVENT_ID.SCALAR) {
      if (!isKey || event.style !== SCALAR_STYLE.PLAIN) continue;
      const what = notText(source.slice(event.valueStart, event.valueEnd));
      if (what !== undefined) problems.push(problemOf(source, event, events[index + 1], what));
    } else if (event.type !== EVENT_ID.ALIAS) {
      open.push(event.type === EVENT_ID.MAPPING ? true : undefined);
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
