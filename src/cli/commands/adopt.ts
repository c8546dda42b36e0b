import { ToolError } from '../../errors.ts';
import type { CommandContext } from '../context.ts';
import type { AdoptOptions } from '../options.ts';

export function runAdopt(_context: CommandContext<AdoptOptions>, _refs: readonly string[]): Promise<number> {
  throw new ToolError({ code: 'cli.unfinished', message: 'adopt is being built' });
}
