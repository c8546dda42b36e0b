import { DocumentList } from '../../terminal/answer.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import type { OutputOptions } from '../../terminal/options.ts';

interface EachStackOptions {
  /** A single stack outputs only its own document. */
  readonly count: number;
  /** Whether to stop after the first failed stack; the following ones may need it. */
  readonly stop?: boolean;
  /** Whether one pager shows all stacks on a terminal; only for commands that ask nothing in between. */
  readonly isPaged?: boolean;
}

/** Runs a step for each stack, in their order. Outputs one document: that of the only stack, else `{"stacks": […]}`. */
export async function eachStack<Stack, Options extends OutputOptions>(
  stacks: Iterable<Stack>,
  context: CommandContext<Options>,
  { count, stop = false, isPaged = false }: EachStackOptions,
  run: (stack: Stack, context: CommandContext<Options>) => Promise<Ending>,
): Promise<Ending> {
  if (count === 1) for (const only of stacks) return run(only, context);
  const list = new DocumentList(context.answer);
  const pages: string[] = [];
  const isCollecting = isPaged && context.terminal.screen !== undefined;
  const terminal = isCollecting
    ? { ...context.terminal, page: async (text: string) => void pages.push(text) }
    : context.terminal;
  const endings: Ending[] = [];
  try {
    for (const stack of stacks) {
      if (endings.length > 0 && context.options.output === 'text' && !isCollecting) context.terminal.result('');
      list.next();
      const ending = await run(stack, { ...context, terminal, answer: list });
      endings.push(ending);
      if (stop && typeof ending !== 'number') break;
    }
  } finally {
    if (pages.length > 0) await context.terminal.page(pages.join('\n\n'));
    context.answer.document({ stacks: list.documents });
  }
  const failed = endings.find((ending) => typeof ending !== 'number');
  return failed ?? (endings.includes(exitCode.changes) ? exitCode.changes : exitCode.ok);
}
