import { resolve } from 'node:path';
import { isArray, isObject, type JsonValue } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { fileProblem, type LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { NamedValues } from '../../manifest/outsidePlaces.ts';
import { displayPath } from '../files/fileRefusal.ts';
import { settingsFileName } from '../files/projectFiles.ts';

/**
 * Warnings about numbers that code receives in another form than they are written in. A manifest gets `1.10` as written,
 * code gets 1.1, so an image's tag would name another version.
 */
export function numberWarnings({ values, written, locate }: NamedValues, cwd: string): readonly LocatedProblem[] {
  return numbersIn(values, []).flatMap(({ at, value }) => {
    const text = written(at);
    if (text === undefined || text === String(value)) return [];
    const { file, ...place } = locate?.(at, 'value') ?? { file: settingsFileName, line: 1, column: 1 };
    const message = `values.${at.join('.')}: ${text} is a number here, so code receives ${value}`;
    const hint = `Put it in quotes: "${text}"; or write ${value}.`;
    const position = { ...place, file: displayPath(resolve(cwd, file), cwd) };
    return [{ ...fileProblem(position, 'values.number', message, hint), severity: 'warning' as const }];
  });
}

function numbersIn(value: JsonValue, at: Pointer): readonly PlacedNumber[] {
  if (typeof value === 'number') return [{ at, value }];
  if (isArray(value)) return value.flatMap((item, index) => numbersIn(item, [...at, index]));
  return isObject(value) ? Object.entries(value).flatMap(([key, item]) => numbersIn(item, [...at, key])) : [];
}

interface PlacedNumber {
  readonly at: Pointer;
  readonly value: number;
}
