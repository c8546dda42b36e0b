import { resolve } from 'node:path';
import { present } from '../../../base/json/present.ts';
import { ToolError } from '../../../base/toolError.ts';
import { forgeOf } from '../../../integrations/forgeOf.ts';
import { putComment } from '../../../integrations/putComment.ts';
import { systemReason } from '../../../project/files/fileRefusal.ts';
import { readBytes } from '../../../project/files/readBytes.ts';
import { fileSizes } from '../../../project/files/sizes.ts';
import type { CommandContext } from '../../../terminal/context.ts';
import type { Ending } from '../../../terminal/ending.ts';
import { exitCode } from '../../../terminal/exitCode.ts';
import { show } from '../../../terminal/show.ts';
import { UsageError } from '../../../terminal/usageError.ts';
import { commentForm } from '../../schemas/ci.ts';
import type { CommentOptions } from './options.ts';

/** Writes a Markdown report as the pipeline's single comment on its pull or merge request. */
export async function runComment(context: CommandContext<CommentOptions>, file: string): Promise<Ending> {
  const { options, environment, cwd } = context;
  if (options.change !== undefined && !/^\d{1,15}$/.test(options.change)) {
    throw new UsageError(`--change: ${JSON.stringify(options.change)} is not a number`, 'Example: --change 12');
  }
  const text = await reportIn(resolve(cwd, file), file);
  const forge = forgeOf(environment);
  const change = options.change ?? forge.change();
  const { action, comment } = await putComment(forge, change, text);
  await show(context, {
    document: () =>
      commentForm.write({
        forge: forge.name,
        change,
        action,
        comment: comment.id,
        ...present({ url: comment.url }),
      }),
    text: () => `${action}  comment on ${change}${comment.url === undefined ? '' : `: ${comment.url}`}`,
  });
  return exitCode.ok;
}

async function reportIn(path: string, named: string): Promise<string> {
  const bytes = await readBytes(path, { most: fileSizes.configuration }).catch((error: unknown) => {
    throw new ToolError({
      code: 'file.read',
      message: `${named}: ${systemReason(error)}`,
      hint: 'Give a file that was written by --report FILE.md.',
      place: { file: named },
    });
  });
  return bytes.toString('utf8');
}
