import { ToolError } from '../base/toolError.ts';
import type { Environment } from '../project/session/session.ts';
import type { Forge } from './forge.ts';
import { gitHub } from './github.ts';
import { gitLab } from './gitlab.ts';

/** The forge of this job, according to its variables. Errors: `ci.environment`. */
export function forgeOf(environment: Environment): Forge {
  if (environment['GITHUB_ACTIONS'] === 'true') return gitHub(environment);
  if (environment['GITLAB_CI'] === 'true') return gitLab(environment);
  throw new ToolError({
    code: 'ci.environment',
    message: 'this is not a job of GitHub Actions or GitLab CI: neither GITHUB_ACTIONS nor GITLAB_CI is true',
    hint: 'On another system, keep the plan and the report as its artifacts (gantry ci init shell).',
  });
}
