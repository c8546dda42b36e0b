import { explanationToJson } from '../../change/documents/explanationDocument.ts';
import type { Explanation } from '../../change/explanation.ts';
import { explainPaths, explainSaved } from '../../gantry/read.ts';
import { explanationTree } from '../../report/tree/explanation.ts';
import type { Ending } from '../../terminal/answer/ending.ts';
import { show } from '../../terminal/answer/show.ts';
import type { CommandContext } from '../../terminal/line/context.ts';
import type { GlobalOptions, PermitOptions } from '../../terminal/line/options.ts';
import type { Palette } from '../../terminal/palette.ts';
import { exitCode } from '../../terminal/process/exitCode.ts';
import { renderBlocks } from '../planText/treeText.ts';
import { savedPlanAmong } from '../savedPlan/among.ts';

export interface ExplainOptions extends GlobalOptions, PermitOptions {}

/** Plans as `plan` does, or takes a saved plan, and says why one resource of it is changed, or is not. */
export async function runExplain(
  context: CommandContext<ExplainOptions>,
  input: string,
  resource: string,
  path: string | undefined,
): Promise<Ending> {
  const { options, terminal } = context;
  const asked = { resource, path };
  const file = await savedPlanAmong([input], context);
  const explanation =
    file === undefined
      ? await explainPaths(context, [input], asked, options)
      : await explainSaved(context, file, asked);
  await show(context, {
    text: () => renderExplanation(explanation, { palette: terminal.palette, path }),
    document: () => explanationToJson(explanation),
  });
  return exitCode.ok;
}

/** Whether a path was asked for: then only what concerns it is shown. */
interface ExplainLook {
  readonly palette: Palette;
  readonly path: string | undefined;
}

/** The explanation for people. */
export function renderExplanation(explanation: Explanation, { palette, path }: ExplainLook): string {
  const look = { palette, bodies: true, lineDiff: undefined, width: Number.POSITIVE_INFINITY };
  return renderBlocks(explanationTree(explanation, path).children(), look);
}
