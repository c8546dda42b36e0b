import { ToolError } from '../base/toolError.ts';
import type { Environment } from '../project/session/session.ts';

/** A variable that the forge sets for each job. Errors: `ci.environment`. */
export function ciVariable(environment: Environment, name: string, hint = jobHint): string {
  const value = environment[name];
  if (value !== undefined && value !== '') return value;
  throw new ToolError({ code: 'ci.environment', message: `${name} is not set`, hint });
}

const jobHint = 'Run this in a job of GitHub Actions or GitLab CI, which set it.';
