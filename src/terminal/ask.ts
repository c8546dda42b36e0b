import { ToolError } from '../base/toolError.ts';

interface Asking {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Keys are read individually, so that Ctrl-C arrives here. The default if `output` is a terminal. */
  readonly terminal?: boolean;
}

/** Why there is no prompt; callers append the consequence. */
export const noTerminal = 'confirmation needed, but there is no terminal, or --no-input was given';

/** True for yes. The end of the input means no. Errors: `cli.interrupted` after Ctrl-C. */
export async function ask(
  question: string,
  streams: Asking = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  return /^y(es)?$/i.test((await answerTo(question, streams)) ?? '');
}

/** Prompts for each of these texts; false at the first other answer. */
export async function askFor(
  texts: readonly string[],
  question: (text: string) => string,
  streams: Asking = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  for (const text of texts) if ((await answerTo(question(text), streams)) !== text) return false;
  return true;
}

/** Undefined if the input ended. */
async function answerTo(question: string, streams: Asking): Promise<string | undefined> {
  const { createInterface } = await import('node:readline/promises'); // rarely needed
  const lines = createInterface(streams);
  try {
    const closed = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
    const interrupted = new Promise<ToolError>((resolve) => lines.once('SIGINT', () => resolve(interruption())));
    // Awaits the answer itself, without later steps, because it counts even if the input ends directly after it.
    const end = await Promise.race([lines.question(question), closed, interrupted]);
    if (typeof end === 'string') return end.trim();
    streams.output.write('\n'); // starts a new line for later output
    if (end !== undefined) throw end;
    return undefined;
  } finally {
    lines.close();
  }
}

/** The error after Ctrl-C at a prompt. */
export function interruption(): ToolError {
  return new ToolError({
    code: 'cli.interrupted',
    message: 'interrupted at the prompt, before these changes were made',
  });
}
