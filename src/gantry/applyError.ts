import { present } from '../base/json/present.ts';
import { ToolError } from '../base/toolError.ts';
import type { Applied } from './gantry.ts';

/** Not everything of a plan was done; `applied` says what was. The code is that of the command line: `apply.partly`, … */
export class ApplyError extends ToolError {
  readonly applied: Applied;

  constructor({ code, message, hint, causes }: ToolError, applied: Applied) {
    super({ code, message, causes, ...present({ hint }) });
    this.applied = applied;
  }
}
