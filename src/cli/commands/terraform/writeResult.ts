import { open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { JsonValue } from '../../../base/json/json.ts';
import { ToolError } from '../../../base/toolError.ts';
import { systemReason } from '../../../project/files/fileRefusal.ts';
import { withoutLastLineEnd } from '../../../terminal/answer.ts';
import type { CommandContext } from '../../../terminal/context.ts';
import type { OutputOptions } from '../../../terminal/options.ts';

/** The destination of the text: a file, or the document itself. */
interface Written {
  readonly file?: string;
  readonly text?: string;
}

/**
 * Writes the text to the new file of `--out`, or prints it; the document contains the text or names the file. An
 * existing file is never overwritten. Errors: `terraform.exists`, `terraform.files`.
 */
export async function writeResult(
  { options, terminal, answer, cwd }: CommandContext<OutputOptions & { readonly out?: string }>,
  text: string,
  documentOf: (written: Written) => JsonValue,
): Promise<void> {
  if (options.out !== undefined) await writeNew(resolve(cwd, options.out), text);
  if (options.output !== 'text') {
    answer.document(documentOf(options.out === undefined ? { text } : { file: resolve(cwd, options.out) }));
  } else if (options.out === undefined) terminal.result(withoutLastLineEnd(text));
  else terminal.message(`written  ${options.out}`);
}

async function writeNew(path: string, text: string): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file
      .writeFile(text)
      .catch(async (error: unknown) => {
        await rm(path); // an incomplete file could be mistaken for a whole one, and would block the next attempt
        throw error;
      })
      .finally(() => file.close());
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw new ToolError({
      code: exists ? 'terraform.exists' : 'terraform.files',
      message: exists
        ? `${path} exists already; nothing was written`
        : `${path} cannot be written: ${systemReason(error)}`,
      hint: exists ? 'Choose another --out, or delete the file.' : 'Choose another --out, or correct its permissions.',
      cause: error,
    });
  }
}
