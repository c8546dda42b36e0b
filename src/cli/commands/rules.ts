import { rules } from '../../schema/rules/registry.ts';
import type { CommandContext } from '../context.ts';
import { exitCode } from '../exitCode.ts';
import { formatted } from '../formatted.ts';
import { renderTable } from '../render/table.ts';

export async function runRules({ options, terminal }: CommandContext): Promise<number> {
  if (options.output === 'text') {
    const rows = rules.map(({ id, kinds, severity, lenient, title, section }) => [
      id,
      kinds.length > 3 ? `${kinds.length} kinds` : kinds.join(' '),
      lenient === true ? 'lenient' : severity,
      title,
      section,
    ]);
    terminal.result(renderTable(['rule', 'kind', 'severity', 'title', 'section'], rows, terminal.palette));
    return exitCode.ok;
  }
  const listed = rules.map(({ id, section, kinds, severity, lenient, title, fix }) => ({
    id,
    section,
    kind: kinds.join(','),
    kinds,
    severity,
    lenient: lenient === true,
    title,
    fix,
  }));
  terminal.result(await formatted(listed, options.output));
  return exitCode.ok;
}
