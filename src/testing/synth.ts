import type { IConstruct } from 'constructs';
import { StackError } from '../../constructs/stackError.ts';
import { isObject, type JsonObject } from '../base/json/json.ts';
import { declared, type SynthOptions } from './declared.ts';

/**
 * The manifests of a tree or a part of one, in the order of their creation, checked by every rule that needs no
 * platform: like `gantry validate`, without a process or a file.
 *
 * Errors: `StackError` with all problems, each at the field in the code of the stack.
 */
export function synth(construct: IConstruct, options: SynthOptions = {}): readonly JsonObject[] {
  const { documents, problems } = declared(construct, options);
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new StackError(errors);
  return documents.map(({ value }) => value).filter(isObject);
}
