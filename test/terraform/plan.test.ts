import fc from 'fast-check';
import { describe, test } from 'vitest';
import { isObject, type JsonObject } from '../../src/schema/json/json.ts';
import type { ObjectValue } from '../../src/terraform/model/value.ts';
import { configOf } from '../../src/terraform/values/stateOf.ts';
import { context, mixed, recordsOf, subjects } from '../patch/realRecord.ts';
import { applied, creatable, expectEmpty, withHoles } from './lifecycle.ts';

const numRuns = Number(process.env['GANTRY_TERRAFORM_RUNS'] ?? 12);

describe.each(subjects)('$kind $type', (subject) => {
  const kind = creatable(subject.kind);
  const records = recordsOf(kind, subject.type);
  const config = (record: JsonObject): ObjectValue => configOf(kind, record, context);
  const configs = records.map(config);
  const changes = fc
    .tuple(records, records)
    .chain(([a, b]) => fc.tuple(fc.constant(a), fc.oneof(fc.constant(b), mixed(a, b).filter(isObject))))
    .map(([a, b]) => [config(a), config(b)] as const);

  test('after a creation the plan is empty', () => {
    fc.assert(
      fc.property(configs, (wanted) => expectEmpty(kind, wanted, applied(kind, wanted))),
      { numRuns },
    );
  });

  test('after an update the plan is empty', () => {
    fc.assert(
      fc.property(changes, ([first, second]) => {
        expectEmpty(kind, second, applied(kind, second, applied(kind, first)));
      }),
      { numRuns },
    );
  });

  test('what was planned with unknown values is what is applied', () => {
    const partial = configs.chain((wanted) => fc.tuple(fc.constant(wanted), withHoles(wanted)));
    fc.assert(
      fc.property(partial, ([wanted, early]) => {
        expectEmpty(kind, wanted, applied(kind, wanted, undefined, early));
      }),
      { numRuns },
    );
  });

  test('so it is in an update', () => {
    const partial = changes.chain(([first, second]) =>
      fc.tuple(fc.constant(first), fc.constant(second), withHoles(second)),
    );
    fc.assert(
      fc.property(partial, ([first, second, early]) => {
        expectEmpty(kind, second, applied(kind, second, applied(kind, first), early));
      }),
      { numRuns },
    );
  });
});
