import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import type { Kind } from '../../../../src/schema/record/kinds.ts';
import { type Around, problemsOf } from '../ruleCase.ts';

/** By the path of each problem, a part of its message or hint; a list of parts for several problems at a path. */
export type Found = Readonly<Record<string, string | readonly string[]>>;
type Row = readonly [it: string, record: JsonObject, found: Found, around?: Omit<Around, 'kind'>];

/** All problems that each of these rules finds in records: none, or exactly these. */
export function findings(kind: Kind, tables: Readonly<Record<string, readonly Row[]>>): void {
  describe.each(Object.entries(tables))('%s', (rule, rows) => {
    test.each(rows.map(([it, record, found, around]) => ({ it, record, found, around: { kind, ...around } })))(
      '$it',
      ({ record, found, around }) => {
        const problems = problemsOf(around, record).filter((problem) => problem.rule === rule);
        const expected = Object.entries(found).flatMap(([path, parts]) =>
          [parts].flat().map((part) => ({ path, part })),
        );
        expect(problems.map(({ path }) => path).sort()).toEqual(expected.map(({ path }) => path).sort());
        for (const { path, part } of expected) {
          const messages = problems
            .filter((problem) => problem.path === path)
            .map(({ message, hint }) => `${message} ${hint}`);
          expect(messages).toContainEqual(expect.stringContaining(part));
        }
      },
    );
  });
}
