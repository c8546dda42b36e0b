import { At, adviceOf, tryRead } from '../../src/base/form/read.ts';
import { type CustomKindOptions, readCustomKind } from '../../src/kinds/readCustomKind.ts';
import { fileProblem } from '../../src/manifest/model/locatedProblem.ts';
import {
  type CustomKind,
  customKindFacts,
  defineCustomKind,
  isCustomKind,
  sameFacts,
} from '../../src/schema/record/customKinds.ts';
import { Origin } from '../origin.ts';
import { StackError } from '../stackError.ts';

/**
 * A kind of your platform that the schema does not know, for `RawResource`. The options are all that Gantry knows of
 * it: they determine how its records are compared, changed and deleted. The same can be under `kinds` of `gantry.yaml`,
 * for manifests.
 *
 * Keep the definition in the code when you remove the last resource of the kind: without it no plan looks for its
 * records to delete them.
 *
 * Errors: `stack.kind` if the schema knows the kind, if the name is invalid, or if the kind is already defined
 * differently.
 *
 * @example
 * const widget = defineKind('widget', { scope: 'gvc', immutable: ['spec.size'] });
 * new RawResource(gvc, 'one', { kind: widget, spec: { size: 3 } });
 */
export function defineKind<const Name extends string>(name: Name, options: CustomKindOptions = {}): Name & CustomKind {
  const read = tryRead(() => readCustomKind(name, options, new At()));
  if ('problems' in read) throw wrong(name, read.problems.map((problem) => adviceOf(problem)).join('; '));
  const before = customKindFacts(name);
  if (before !== undefined && !sameFacts(before, read.value)) {
    throw wrong(name, 'it is defined otherwise already, in gantry.yaml or by another defineKind()');
  }
  defineCustomKind(name, read.value);
  if (!isCustomKind(name)) throw new Error(`${name} was defined and is not known`);
  return name;
}

function wrong(name: string, message: string): StackError {
  const hint = 'Write defineKind(NAME, { scope, immutable, listKeys, disposable }), once for each kind.';
  const position = new Origin(defineKind).position();
  return new StackError([fileProblem(position, 'stack.kind', `the kind ${JSON.stringify(name)}: ${message}`, hint)]);
}
