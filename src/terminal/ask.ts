import { ToolError } from '../base/toolError.ts';

interface Asking {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Keys are read one by one, so that Ctrl-C arrives here. By default where `output` is a terminal. */
  readonly terminal?: boolean;
}

/** Why nobody is asked; what did not happen follows. */
export const noTerminal = 'confirmation needed, but there is no terminal, or --no-input was given';

/** True for yes. The end of the input is a no. Errors: `cli.interrupted` after Ctrl-C. */
export async function ask(
  question: string,
  streams: Asking = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  return /^y(es)?$/i.test((await answerTo(question, streams)) ?? '');
}

/** Asks for each of these texts; false at the first that is answered with anything else. */
export async function askFor(
  texts: readonly string[],
  question: (text: string) => string,
  streams: Asking = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  for (const text of texts) if ((await answerTo(question(text), streams)) !== text) return false;
  return true;
}

/** Undefined: the input ended. */
async function answerTo(question: string, streams: Asking): Promise<string | undefined> {
  const { createInterface } = await import('node:readline/promises'); // few runs ask
  const lines = createInterface(streams);
  try {
    const closed = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
    const interrupted = new Promise<ToolError>((resolve) => lines.once('SIGINT', () => resolve(interruption())));
    // The answer itself, not what follows from it: it counts where the input ends right behind it.
    const end = await Promise.race([lines.question(question), closed, interrupted]);
    if (typeof end === 'string') return end.trim();
    streams.output.write('\n'); // what is said next is on a line of its own
    if (end !== undefined) throw end;
    return undefined;
  } finally {
    lines.close();
  }
}

/** After Ctrl-C at a prompt. */
export function interruption(): ToolError {
  return new ToolError({
    code: 'cli.interrupted',
    message: 'interrupted at the prompt, before these changes were made',
  });
}
