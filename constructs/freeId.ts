import type { IConstruct } from 'constructs';
import { ToolError } from '../src/base/toolError.ts';
import { reportUnusable } from './mistakes.ts';
import { Origin } from './origin.ts';

/** The id, or a usable replacement. An unusable id is reported without ending the run. */
export function freeId(scope: IConstruct, id: string): string {
  // `constructs` stores children in a plain object, so these ids seem to be taken.
  if (Object.hasOwn(Object.prototype, id)) {
    const reserved = new ToolError({
      code: 'stack.id',
      message: `${JSON.stringify(id)} cannot be the id of a construct: every JavaScript object has a member of that name`,
      hint: 'Choose another id, and give the resource its name with `name`.',
    });
    return replaced(scope, id, reserved);
  }
  const first = scope.node.tryFindChild(id);
  if (first === undefined) return id;
  const where = scope.node.path === '' ? 'in the app' : `in "${scope.node.path}"`;
  const line = 'origin' in first && first.origin instanceof Origin ? lineOf(first.origin) : '';
  const error = new ToolError({
    code: 'stack.id',
    message: `there is already a construct with the id ${JSON.stringify(id)} ${where}${line}`,
    hint: 'Ids are unique in their scope: choose another id. `name` may be the same in different GVCs.',
  });
  return replaced(scope, id, error);
}

function replaced(scope: IConstruct, id: string, error: ToolError): string {
  let other = 2;
  while (scope.node.tryFindChild(`${id} (${other})`) !== undefined) other += 1;
  reportUnusable(error, { scope, id: `${id} (${other})`, shownId: id });
  return `${id} (${other})`;
}

function lineOf(origin: Origin): string {
  const { file, line } = origin.position();
  return `; the first one is at ${file}:${line}`;
}
