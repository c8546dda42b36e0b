import { type Rehearsal, rehearsalDocument } from '../../rehearsal/rehearsal.ts';
import { rehearsalGroup } from '../../report/tree/rehearsal.ts';
import type { Palette } from '../../terminal/palette.ts';
import { renderBlocks } from '../output/treeText.ts';

/** The text below a rehearsed plan. */
export function renderRehearsal(rehearsal: Rehearsal, palette: Palette): string {
  const look = { palette, lineDiff: undefined, width: Number.POSITIVE_INFINITY };
  return renderBlocks([rehearsalGroup(rehearsalDocument(rehearsal))], look);
}
