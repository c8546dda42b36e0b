import { ToolError } from '../../errors.ts';
import type { CommandContext } from '../context.ts';
import type { UndoOptions } from '../options.ts';

export function runUndo(_context: CommandContext<UndoOptions>, _plan: string): Promise<number> {
  throw new ToolError({ code: 'cli.unfinished', message: 'undo is being built' });
}
