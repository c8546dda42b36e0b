import { createInterface } from 'node:readline/promises';
import { ToolError } from '../../errors/toolError.ts';

interface Asking {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Keys are read one by one, so that Ctrl-C arrives here. By default where `output` is a terminal. */
  readonly terminal?: boolean;
}

/** True for yes. The end of the input is a no. Errors: `cli.interrupted` after Ctrl-C. */
export async function ask(
  question: string,
  streams: Asking = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  const lines = createInterface(streams);
  try {
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    const interrupted = new Promise<never>((_, reject) => lines.once('SIGINT', () => reject(interruption())));
    const answer = await Promise.race([lines.question(question), closed, interrupted]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}

function interruption(): ToolError {
  return new ToolError({ code: 'cli.interrupted', message: 'interrupted at the prompt; nothing was written' });
}
