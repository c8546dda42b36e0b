import fc from 'fast-check';
import { describe, test } from 'vitest';
import { isObject, type JsonObject } from '../../../src/base/json/json.ts';
import type { ObjectValue } from '../../../src/hcl/value.ts';
import { configOf } from '../../../src/hcl/values/stateOf.ts';
import { creatable, isAmbiguous, terraformOn, withHoles } from '../../hcl/lifecycle.ts';
import { fullModes } from '../../noise/modes.ts';
import { context, mixed, recordsOf, subjects } from '../../patch/realRecord.ts';

const numRuns = Number(process.env['GANTRY_TERRAFORM_RUNS'] ?? 6);

const modes = [{ name: 'as it was written', answers: [] }, ...fullModes];
const cases = subjects.flatMap((subject) => modes.map((mode) => ({ ...subject, ...mode })));

describe.each(cases)('$kind $type, shown $name', (subject) => {
  const kind = creatable(subject.kind);
  const terraform = terraformOn(kind, subject.answers);
  const records = recordsOf(kind, subject.type).filter((record) => !isAmbiguous(record));
  const config = (record: JsonObject): ObjectValue => configOf(kind, record, context);
  const configs = records.map(config);
  const partly = configs.chain((wanted) => fc.tuple(fc.constant(wanted), withHoles(kind, wanted)));
  const pairs = fc.tuple(configs, configs);
  const changes = fc.oneof(
    pairs.chain(([first, second]) => fc.tuple(fc.constant(first), fc.constant(second), withHoles(kind, second))),
    configs.chain((same) => fc.tuple(fc.constant(same), fc.constant(same), withHoles(kind, same))),
    fc
      .tuple(records, records)
      .chain(([a, b]) => fc.tuple(fc.constant(a), mixed(a, b).filter(isObject)))
      .filter(([, b]) => !isAmbiguous(b))
      .chain(([a, b]) => fc.tuple(fc.constant(config(a)), fc.constant(config(b)), withHoles(kind, config(b)))),
  );

  test('after a creation with unknown values the plan is empty', () => {
    fc.assert(
      fc.property(partly, ([wanted, early]) => {
        terraform.expectEmpty(wanted, terraform.apply(wanted, undefined, early));
      }),
      { numRuns },
    );
  });

  test('after an update with unknown values the plan is empty', () => {
    fc.assert(
      fc.property(changes, ([first, second, early]) => {
        const before = terraform.apply(first);
        const after = terraform.apply(second, before, early);
        // A platform that hides a derived value shows it when it no longer follows, which takes a second write.
        const isHidden = subject.answers.some((answer) => answer === 'bare');
        terraform.expectEmpty(second, isHidden ? terraform.apply(second, after) : after);
      }),
      { numRuns },
    );
  });
});
