import { counted } from '../../../base/text/counted.ts';
import { ToolError } from '../../../base/toolError.ts';
import { runPolicyTests } from '../../../gantry/runPolicyTests.ts';
import type { Ending } from '../../../terminal/answer/ending.ts';
import { show } from '../../../terminal/answer/show.ts';
import type { CommandContext } from '../../../terminal/line/context.ts';
import { exitCode } from '../../../terminal/process/exitCode.ts';
import { policyTestsToJson } from './schema.ts';
import { renderPolicyTests } from './text.ts';

export async function runPolicyTest(context: CommandContext, paths: readonly string[]): Promise<Ending> {
  const result = await runPolicyTests(context, paths);
  await show(context, {
    text: () => renderPolicyTests(result, context.terminal.palette),
    document: () => policyTestsToJson(result),
  });
  const failed = result.cases.filter(({ passed }) => !passed);
  if (failed.length === 0) return exitCode.ok;
  const error = new ToolError({
    code: 'policies.test-failed',
    message: `${counted(failed.length, 'case')} of ${result.cases.length} failed`,
    causes: failed.map(({ test: { name, position } }) => ({
      code: 'policies.test-failed',
      message: name,
      place: position,
    })),
  });
  context.terminal.message(error.message);
  return error;
}
