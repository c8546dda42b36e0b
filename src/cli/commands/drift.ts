import { ToolError } from '../../errors.ts';
import type { CommandContext } from '../context.ts';
import type { DriftOptions } from '../options.ts';

export function runDrift(_context: CommandContext<DriftOptions>, _paths: readonly string[]): Promise<number> {
  throw new ToolError({ code: 'cli.unfinished', message: 'drift is being built' });
}
