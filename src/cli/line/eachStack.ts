import type { Ending } from '../../terminal/answer/ending.ts';
import { DocumentList } from '../../terminal/answer/list.ts';
import type { CommandContext } from '../../terminal/line/context.ts';
import type { OutputOptions } from '../../terminal/line/options.ts';
import { exitCode } from '../../terminal/process/exitCode.ts';

/**
 * Does the same for each stack, in their order. For programs there is one document: that of the only stack, else
 * `{"stacks": […]}`. `stop`: the first stack that does not end well is the last one; what comes after it may need it.
 * `more`: asked when all are done, until it says that there are none.
 */
export async function eachStack<Stack, Options extends OutputOptions>(
  stacks: readonly Stack[],
  context: CommandContext<Options>,
  stop: boolean,
  run: (stack: Stack, context: CommandContext<Options>) => Promise<Ending>,
  more: () => readonly Stack[] = () => [],
): Promise<Ending> {
  const [only] = stacks;
  if (only !== undefined && stacks.length === 1) return run(only, context);
  const list = new DocumentList();
  const endings: Ending[] = [];
  try {
    const open = [...stacks];
    for (let stack = open.shift(); stack !== undefined; stack = open.shift()) {
      if (endings.length > 0 && context.options.output === 'text') context.terminal.result('');
      list.next();
      const ending = await run(stack, { ...context, answer: list });
      endings.push(ending);
      if (stop && typeof ending !== 'number') break;
      if (open.length === 0) open.push(...more());
    }
  } finally {
    context.answer.document({ stacks: list.documents });
  }
  const failed = endings.find((ending) => typeof ending !== 'number');
  return failed ?? (endings.includes(exitCode.changes) ? exitCode.changes : exitCode.ok);
}
