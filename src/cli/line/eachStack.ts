import type { Ending } from '../../terminal/answer/ending.ts';
import { DocumentList } from '../../terminal/answer/list.ts';
import type { CommandContext } from '../../terminal/line/context.ts';
import type { OutputOptions } from '../../terminal/line/options.ts';
import { exitCode } from '../../terminal/process/exitCode.ts';

interface Several {
  /** Of one stack there is its document alone. */
  readonly count: number;
  /** The first stack that does not end well is the last one; what comes after it may need it. */
  readonly stop?: boolean;
}

/**
 * Does the same for each stack, in their order. For programs there is one document: that of the only stack, else
 * `{"stacks": […]}`.
 */
export async function eachStack<Stack, Options extends OutputOptions>(
  stacks: Iterable<Stack>,
  context: CommandContext<Options>,
  { count, stop = false }: Several,
  run: (stack: Stack, context: CommandContext<Options>) => Promise<Ending>,
): Promise<Ending> {
  if (count === 1) for (const only of stacks) return run(only, context);
  const list = new DocumentList(context.answer);
  const endings: Ending[] = [];
  try {
    for (const stack of stacks) {
      if (endings.length > 0 && context.options.output === 'text') context.terminal.result('');
      list.next();
      const ending = await run(stack, { ...context, answer: list });
      endings.push(ending);
      if (stop && typeof ending !== 'number') break;
    }
  } finally {
    context.answer.document({ stacks: list.documents });
  }
  const failed = endings.find((ending) => typeof ending !== 'number');
  return failed ?? (endings.includes(exitCode.changes) ? exitCode.changes : exitCode.ok);
}
