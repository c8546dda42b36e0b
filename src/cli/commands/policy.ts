import { compact } from '../../base/json/present.ts';
import { counted } from '../../base/text/counted.ts';
import { ToolError } from '../../base/toolError.ts';
import { type CaseResult, type PolicyTestResult, runPolicyTests } from '../../gantry/runPolicyTests.ts';
import { formatPosition, renderProblem } from '../../manifest/model/locatedProblem.ts';
import { policyOf } from '../../policies/rules/verdict.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import type { Palette } from '../../terminal/palette.ts';
import { printable } from '../../terminal/printable.ts';
import { show } from '../../terminal/show.ts';
import { policyTestsToJson } from '../schemas/commands.ts';

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

/** One line per case; a failed one also shows the differences: `-` expected, `+` found. */
function renderPolicyTests({ cases, untested }: PolicyTestResult, palette: Palette): string {
  const files = [...Map.groupBy(cases, ({ file }) => file)];
  const failed = cases.filter(({ passed }) => !passed).length;
  const sum = `${counted(cases.length, 'case')}: ${cases.length - failed} passed, ${failed} failed`;
  return compact([
    ...files.flatMap(([file, own]) => [
      palette.strong(printable(file)),
      ...own.flatMap((each) => caseLines(each, palette)),
      '',
    ]),
    untested.length === 0 ? undefined : `No case expects a problem of ${untested.join(', ')}.`,
    sum,
  ]).join('\n');
}

function caseLines({ test, passed, missing, unexpected, invalid }: CaseResult, palette: Palette): readonly string[] {
  const name = printable(test.name);
  if (passed) return [`  ${palette.add('ok')}    ${name}`];
  return [
    `  ${palette.refuse('FAIL')}  ${name}  ${palette.faint(printable(formatPosition(test.position)))}`,
    ...missing.map(({ policy, severity, resource, path, message }) =>
      palette.remove(`        - ${line([severity, policy, resource, path, message])}`),
    ),
    ...unexpected.map(({ rule, severity, resource, path, message }) =>
      palette.add(`        + ${line([severity, policyOf(rule), resource, path === '' ? undefined : path, message])}`),
    ),
    ...invalid.map((problem) =>
      palette.refuse(`        the manifests are not valid: ${printable(renderProblem(problem))}`),
    ),
  ];
}

function line(parts: readonly (string | undefined)[]): string {
  return printable(compact(parts).join('  '));
}
