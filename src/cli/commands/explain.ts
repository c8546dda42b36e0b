import { explanationToJson } from '../../change/documents/explanationDocument.ts';
import type { Explanation } from '../../change/explanation.ts';
import { explainPaths, explainSaved } from '../../gantry/read.ts';
import { explanationTree } from '../../report/tree/explanation.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import type { GlobalOptions, PermitOptions } from '../../terminal/options.ts';
import type { Palette } from '../../terminal/palette.ts';
import { show } from '../../terminal/show.ts';
import { renderBlocks } from '../output/treeText.ts';
import { findSavedPlan } from '../steps/findSavedPlan.ts';

export interface ExplainOptions extends GlobalOptions, PermitOptions {}

/** Plans like `plan`, or reads a saved plan, and explains why one of its resources is changed or not. */
export async function runExplain(
  context: CommandContext<ExplainOptions>,
  input: string,
  resource: string,
  path: string | undefined,
): Promise<Ending> {
  const { options, terminal } = context;
  const asked = { resource, path };
  const file = await findSavedPlan([input], context);
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

/** With a path, only the related fields are shown. */
interface ExplanationStyle {
  readonly palette: Palette;
  readonly path: string | undefined;
}

export function renderExplanation(explanation: Explanation, { palette, path }: ExplanationStyle): string {
  const look = { palette, bodies: true, lineDiff: undefined, width: Number.POSITIVE_INFINITY };
  return renderBlocks(explanationTree(explanation, path).children(), look);
}
