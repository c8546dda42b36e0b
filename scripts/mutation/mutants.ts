import { dirname } from 'node:path';
import { isObject, type JsonObject, listAt, numberAt, objectAt, stringAt } from '../../src/base/json/json.ts';
import { isInSample } from '../../test/mutation/sample.ts';

export interface Mutant {
  /** Below `src/`. */
  readonly folder: string;
  readonly place: string;
  readonly fate: 'found' | 'survived' | 'timed out';
  readonly change: string;
}

/** The fate of a mutant, by Stryker's word for it. Others did not run. */
const fates: ReadonlyMap<string, Mutant['fate']> = new Map([
  ['Killed', 'found'],
  ['Survived', 'survived'],
  ['NoCoverage', 'survived'],
  ['Timeout', 'timed out'],
]);

/** The mutants of a sample, from the report of Stryker (the schema of mutation-testing-elements). */
export function mutantsOf(report: unknown, every: number): readonly Mutant[] {
  const files = isObject(report) ? (objectAt(report, 'files') ?? {}) : {};
  return Object.entries(files).flatMap(([path, file]) => {
    if (!isObject(file)) return [];
    const source = stringAt(file, 'source') ?? '';
    return listAt(file, 'mutants')
      .filter(isObject)
      .filter((mutant) => isInSample({ id: stringAt(mutant, 'id') ?? '' }, every))
      .flatMap((mutant) => mutantOf(path, source.split('\n'), mutant));
  });
}

function mutantOf(path: string, source: readonly string[], mutant: JsonObject): readonly Mutant[] {
  const fate = fates.get(stringAt(mutant, 'status') ?? '');
  if (fate === undefined) return [];
  const start = pointAt(mutant, 'start');
  const end = pointAt(mutant, 'end');
  const first = source[start.line - 1] ?? '';
  const changed = first.slice(start.column - 1, end.line === start.line ? end.column - 1 : undefined);
  const replacement = (stringAt(mutant, 'replacement') ?? '').replace(/\s+/g, ' ');
  return [
    {
      folder: dirname(path).replace(/^src\//, ''),
      place: `${path}:${start.line}:${start.column}`,
      fate,
      change: `${changed}${end.line === start.line ? '' : ' …'} -> ${replacement} in: ${first.trim()}`,
    },
  ];
}

function pointAt(mutant: JsonObject, which: 'start' | 'end'): { readonly line: number; readonly column: number } {
  const point = objectAt(objectAt(mutant, 'location'), which);
  return { line: numberAt(point, 'line') ?? 0, column: numberAt(point, 'column') ?? 0 };
}
