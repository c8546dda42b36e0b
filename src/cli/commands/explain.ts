import { ToolError } from '../../errors.ts';
import type { CommandContext } from '../context.ts';
import type { ExplainOptions } from '../options.ts';

export function runExplain(
  _context: CommandContext<ExplainOptions>,
  _input: string,
  _resource: string,
  _field: string | undefined,
): Promise<number> {
  throw new ToolError({ code: 'cli.unfinished', message: 'explain is being built' });
}
