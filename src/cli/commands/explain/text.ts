import type { Explanation } from '../../../change/explain/explanation.ts';
import { explanationTree } from '../../../report/tree/explanation.ts';
import type { Palette } from '../../../terminal/palette.ts';
import { renderBlocks } from '../../planText/treeText.ts';

/** Whether a path was asked for: then only what concerns it is shown. */
export interface ExplainLook {
  readonly palette: Palette;
  readonly path: string | undefined;
}

/** The explanation for people. */
export function renderExplanation(explanation: Explanation, { palette, path }: ExplainLook): string {
  const look = { palette, bodies: true, lineDiff: undefined, width: Number.POSITIVE_INFINITY };
  return renderBlocks(explanationTree(explanation, path).children(), look);
}
