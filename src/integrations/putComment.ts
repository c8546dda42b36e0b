import { ToolError } from '../base/toolError.ts';
import type { Forge, ForgeComment } from './forge.ts';

export interface PutComment {
  readonly action: 'created' | 'replaced' | 'unchanged';
  readonly comment: ForgeComment;
}

/** The beginning of a report; invisible in rendered Markdown. */
const marker = /^<!-- gantry[^\n]*? -->/;

/**
 * Writes a report as a comment on a change, and replaces this pipeline's earlier comment with the same marker. Errors:
 * `ci.comment` if the text has no marker, `ci.forge`.
 */
export async function putComment(forge: Forge, change: string, text: string): Promise<PutComment> {
  const [mark] = marker.exec(text) ?? [];
  if (mark === undefined) {
    throw new ToolError({
      code: 'ci.comment',
      message: 'the text does not begin with the marker of a Gantry report, so a later one could not replace it',
      hint: 'Give a file that was written by --report FILE.md.',
    });
  }
  const own = await forge.ownComments(change);
  const before = own.find((comment) => comment.text.startsWith(mark));
  if (before === undefined) return { action: 'created', comment: await forge.addComment(change, text) };
  if (sameText(before.text, text)) return { action: 'unchanged', comment: before };
  return { action: 'replaced', comment: await forge.replaceComment(change, before.id, text) };
}

/** Forges remove trailing white space, and may change line ends. */
function sameText(a: string, b: string): boolean {
  return a.replaceAll('\r\n', '\n').trimEnd() === b.replaceAll('\r\n', '\n').trimEnd();
}
