import { type Run, resultOf } from '../../gantry/applying/runResult.ts';
import type { Plan } from '../../plan/model/plan.ts';
import { resultTree } from '../../report/tree/result.ts';
import type { Palette } from '../../terminal/palette.ts';
import { joinBlocks, renderNode } from '../output/treeText.ts';

/**
 * The summary of a run: deleted resources that are missing now, failures with hints, one line of counts, races and
 * notes, the findings of verification, and addresses.
 */
export function resultText({ changes }: Pick<Plan, 'changes'>, run: Run, palette: Palette): string {
  const { failures, told } = resultTree(resultOf(run), changes);
  const look = { palette, width: Number.POSITIVE_INFINITY, lineDiff: undefined };
  const blocks = [...failures.map((node) => [node]), told];
  return joinBlocks(
    blocks.map((nodes) => nodes.flatMap((node) => renderNode(node, look))),
    look,
  );
}
