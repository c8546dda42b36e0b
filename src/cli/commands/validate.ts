import { loadDialect } from '../dialectFile.ts';
import type { CommandContext } from '../context.ts';
import { exitCode } from '../exitCode.ts';
import { formatted } from '../formatted.ts';
import { checkInputs } from '../loadStack.ts';
import { renderProblem } from '../../manifest/renderProblem.ts';

/** The problems, one in each line, on standard output: they are the result. Warnings alone do not fail. */
export async function runValidate(context: CommandContext, paths: readonly string[]): Promise<number> {
  const { options, terminal } = context;
  const { desired, problems, project } = await checkInputs(context, paths, 'unread');
  await loadDialect(project.settings.dialect); // what is wrong with it need not wait for a plan
  const failed = problems.some(({ severity }) => severity === 'error');

  if (options.output === 'text') {
    for (const problem of problems) terminal.result(renderProblem(problem));
    const errors = problems.filter(({ severity }) => severity === 'error').length;
    if (failed) terminal.message(`${errors} ${errors === 1 ? 'problem' : 'problems'}`);
    else terminal.result(`${desired.length} ${desired.length === 1 ? 'resource is' : 'resources are'} valid`);
  } else {
    const listed = problems.map(({ position, rule, path, message, hint, severity, resource }) => ({
      ...position,
      rule,
      path,
      message,
      ...(hint === undefined ? {} : { hint }),
      severity,
      ...(resource === undefined ? {} : { resource }),
    }));
    terminal.result(await formatted({ valid: !failed, resources: desired.length, problems: listed }, options.output));
  }
  return failed ? exitCode.failed : exitCode.ok;
}
