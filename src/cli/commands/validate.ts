import { counted } from '../../base/text/counted.ts';
import { validate } from '../../gantry/check.ts';
import { invalidInput } from '../../gantry/loading/loadStack.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import { problemToJson } from '../../terminal/problemJson.ts';
import { renderProblems } from '../../terminal/problemText.ts';

/** Prints the problems on standard output, as the result. Warnings alone do not fail. */
export async function runValidate(context: CommandContext, paths: readonly string[]): Promise<Ending> {
  const { options, terminal, answer } = context;
  const { problems, notes, resources, declared } = await validate(context, paths);
  for (const note of notes) terminal.message(`note: ${note}`);
  const invalid = invalidInput(problems, '');

  if (options.output === 'text') {
    const look = { palette: terminal.palette, width: terminal.resultColumns() };
    const valid = invalid === undefined ? [`${counted(resources, 'resource is', 'resources are')} valid`] : [];
    const lines = [...renderProblems(problems, look), ...valid];
    if (lines.length > 0) await terminal.page(lines.join('\n'));
  }
  answer.document({ valid: invalid === undefined, resources, declared, problems: problems.map(problemToJson) });
  if (invalid !== undefined) terminal.message(invalid.message);
  return invalid ?? exitCode.ok;
}
