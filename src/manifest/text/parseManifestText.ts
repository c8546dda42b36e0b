import { isArray, isObject, type JsonValue } from '../../base/json/json.ts';
import { fileProblem } from '../model/locatedProblem.ts';
import { jsonFault } from './jsonFault.ts';
import { limits } from './limits.ts';
import type { ParsedText } from './parsedText.ts';
import { lazySources, parseYaml } from './parseYaml.ts';
import { TextPositions } from './textPosition.ts';

export interface ManifestText {
  readonly text: string;
  /** The name used in messages. */
  readonly file: string;
  readonly format: 'yaml' | 'json';
}

/** Text to documents. Nothing is thrown for bad text: it becomes problems with their place. */
export function parseManifestText({ text, file, format }: ManifestText): ParsedText {
  // Files with a byte order mark that were put one after the other have one at the beginning of each document.
  const body = text.includes('\uFEFF') ? text.replace(/^\uFEFF/gm, '') : text;
  return format === 'json' ? parseJson(body, file) : parseYaml(body, file);
}

/** Reads a JSON file. `JSON.parse` does the work; the YAML reader, which knows places, is asked only when needed. */
function parseJson(text: string, file: string): ParsedText {
  const positions = new TextPositions(text, file);
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    const { offset, message } = jsonFault(text);
    const problem = fileProblem(
      positions.at(offset),
      'manifest.syntax',
      `this is not JSON: ${message}`,
      'Correct the JSON at this place.',
    );
    return { documents: [], problems: [problem] };
  }

  const depth = measure(value);
  // A key that is there twice is lost in `value`. If the text has no more `":` than the value has keys, none is.
  const suspicious = depth.keys !== countOf(text) || depth.longest > limits.scalarLength || depth.depth >= limits.depth;
  if (suspicious) {
    const checked = parseYaml(text, file);
    if (checked.problems.length > 0) return checked;
  }
  return { documents: [{ value, ...lazySources(text, positions)(0) }], problems: [] };
}

function countOf(text: string): number {
  return text.match(/"\s*:/g)?.length ?? 0;
}

interface Measure {
  keys: number;
  longest: number;
  depth: number;
}

function measure(value: JsonValue, depth = 0, sum: Measure = { keys: 0, longest: 0, depth: 0 }): Measure {
  if (depth > sum.depth) sum.depth = depth;
  if (depth > limits.depth) return sum;
  if (typeof value === 'string') {
    if (value.length > sum.longest) sum.longest = value.length;
  } else if (isArray(value)) {
    for (const item of value) measure(item, depth + 1, sum);
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      sum.keys += 1;
      measure(value[key] ?? null, depth + 1, sum);
    }
  }
  return sum;
}
