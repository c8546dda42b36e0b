import { ToolError } from '../base/toolError.ts';

/** There is no pull or merge request that a plan could have been made for. */
export function noChange(message: string): ToolError {
  return new ToolError({
    code: 'ci.change',
    message,
    hint: 'Only what a pull or merge request planned is applied. Open one, and let its pipeline plan.',
  });
}

/** There is a change, and no plan that may be applied for it. */
export function notKept(message: string): ToolError {
  return new ToolError({
    code: 'ci.kept',
    message,
    hint: 'Open a new pull or merge request, so that its pipeline plans again. Nothing was applied.',
  });
}
