import { ToolError } from '../../base/toolError.ts';
import { correct } from '../../gantry/applying/runError.ts';
import type { Ending } from '../../terminal/answer/ending.ts';
import type { CommandContext } from '../../terminal/line/context.ts';
import type { OutputOptions } from '../../terminal/line/options.ts';
import { eachStack } from '../line/eachStack.ts';

/** How the turn of one stack ended. */
export interface Turned {
  readonly ending: Ending;
  /** Was something of it written or deleted? */
  readonly wrote: boolean;
}

/**
 * Writes the stacks, in their order, up to the first one that does not end well: what comes after it may need it. Its
 * error says so where stacks before it, or its own earlier turn, were written.
 */
export function inTurn<Stack, Options extends OutputOptions>(
  stacks: Iterable<Stack>,
  context: CommandContext<Options>,
  count: number,
  run: (stack: Stack, context: CommandContext<Options>) => Promise<Turned>,
): Promise<Ending> {
  let wrote = false;
  return eachStack(stacks, context, { count, stop: true }, async (stack, each) => {
    try {
      const turned = await run(stack, each);
      if (turned.ending instanceof ToolError) return wrote ? afterWrites(turned.ending) : turned.ending;
      wrote ||= turned.wrote;
      return turned.ending;
    } catch (error) {
      throw wrote && error instanceof ToolError ? afterWrites(error) : error;
    }
  });
}

/** They say by themselves that something may be written. */
const partlyBefore: ReadonlySet<string> = new Set([
  'apply.partly',
  'apply.not-ready',
  'apply.interrupted',
  'cli.interrupted',
]);

/** The error of a command that had written something before: its own code may say that nothing was. */
export function afterWrites(error: ToolError): ToolError {
  if (partlyBefore.has(error.code)) return error;
  const { code, message, hint = correct, causes } = error;
  return new ToolError({
    code: 'apply.partly',
    message: `what came before is written, and then: ${code}: ${message}`,
    hint,
    causes: [error, ...causes],
    cause: error,
  });
}
