import { isObject, type JsonObject, own } from '../../base/json/json.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import type { Problem } from '../../schema/record/problem.ts';
import { formatPath } from '../../schema/shape/paths.ts';
import { shapeOf } from '../../schema/shape/shapeOf.ts';
import type { Written } from '../model/manifest.ts';

/** Tags are mostly versions and codes: a number that changes its text (`1.10`, `0755`) is reported. */
export function tagProblems(kind: Kind, record: JsonObject, written: Written | undefined): readonly Problem[] {
  const tags = own(record, 'tags');
  if (written === undefined || !isObject(tags)) return [];
  return Object.entries(tags).flatMap(([key, value]): readonly Problem[] => {
    if (typeof value !== 'number') return [];
    const text = written(['tags', key]);
    if (text === undefined || text === String(value)) return [];
    return [
      {
        rule: 'manifest.tag-number',
        path: formatPath(shapeOf(kind, record), record, ['tags', key]),
        pointer: ['tags', key],
        message: `${text} is a number here, so the tag becomes ${value}`,
        hint: `Put it in quotes: "${text}"; or write ${value}.`,
        severity: 'warning',
      },
    ];
  });
}
