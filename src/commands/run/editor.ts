import { ToolError } from '../../base/toolError.ts';
import { decodeText } from '../../project/files/decodeText.ts';
import { systemReason } from '../../project/files/fileRefusal.ts';
import { readBytes } from '../../project/files/readBytes.ts';
import { fileSizes } from '../../project/files/sizes.ts';
import { endingText } from '../../project/process/runProgram.ts';
import type { Environment } from '../../project/session/session.ts';
import { UsageError } from '../../terminal/line/usageError.ts';
import { runUserCommand } from '../../terminal/process/userCommand.ts';

/** A command line of the user's shell; the file is its last argument. Errors: `cli.usage`. */
export function editorOf(environment: Environment): string {
  const editor = environment['VISUAL'] || environment['EDITOR'];
  if (editor !== undefined && editor !== '') return editor;
  throw new UsageError(
    'no editor is set',
    'Set VISUAL or EDITOR, for example EDITOR=vi; or use gantry KIND update --set.',
  );
}

interface Edited {
  readonly file: string;
  readonly cwd: string;
  readonly environment: Environment;
}

/** Opens a file in an editor, and reads what was saved. Errors: `edit.editor`. */
export async function runEditor(editor: string, { file, cwd, environment }: Edited): Promise<string> {
  const end = await runUserCommand({
    line: process.platform === 'win32' ? `${editor} "${file}"` : `${editor} "$GANTRY_EDIT_FILE"`,
    cwd,
    environment: { ...environment, GANTRY_EDIT_FILE: file },
  });
  if (end !== 0) {
    const ended = typeof end === 'number' ? { code: end, signal: null } : { code: null, signal: end };
    throw failed(`the editor ${endingText(ended)}`);
  }
  const saved = await readBytes(file, { most: fileSizes.manifests }).catch((error: unknown) => {
    throw failed(`what the editor saved cannot be read: ${systemReason(error)}`);
  });
  // Decoded anyhow, bytes that are no text would be written as question marks.
  const decoded = decodeText(saved, 'line');
  if ('text' in decoded) return decoded.text;
  const { position, message } = decoded.problem;
  throw failed(`what the editor saved cannot be read: line ${position.line}: ${message}`);
}

function failed(why: string): ToolError {
  return new ToolError({ code: 'edit.editor', message: `${why}; nothing was written` });
}
