import { behaviours } from '../../schema/rules/behaviours.ts';
import { rules } from '../../schema/rules/registry.ts';
import type { Ending } from '../answer/ending.ts';
import { show } from '../answer/show.ts';
import type { CommandContext } from '../context.ts';
import { exitCode } from '../exitCode.ts';
import type { OutputOptions } from '../options.ts';
import { renderTable } from '../render/table.ts';

/** Every rule: those that are checked on a record, and those that are behaviour, with the part that keeps them. */
export async function runRules(context: CommandContext<OutputOptions>): Promise<Ending> {
  await show(context, {
    text: () => renderTable(['rule', 'kind', 'severity', 'section', 'title'], rows(), context.terminal.palette),
    document: () => [...checked(), ...behaving()],
  });
  return exitCode.ok;
}

function rows(): readonly (readonly string[])[] {
  return [
    ...rules.map(({ id, kinds, severity, lenient, title, section }) => [
      id,
      kinds.length > 3 ? `${kinds.length} kinds` : kinds.join(' '),
      lenient === true ? 'lenient' : severity,
      section,
      title,
    ]),
    ...behaviours.map(({ id, section, title, whereItIs }) => [id, '', `by ${whereItIs}`, section, title]),
  ];
}

function checked() {
  return rules.map(({ id, section, kinds, severity, lenient, title, fix }) => ({
    id,
    section,
    kind: kinds.join(','),
    kinds,
    severity,
    lenient: lenient === true,
    title,
    fix,
    keptBy: 'check',
  }));
}

/** No record can break them, so they have no severity that a problem could carry, and no fix. */
function behaving() {
  return behaviours.map(({ id, section, title, whereItIs }) => ({
    id,
    section,
    kind: '',
    kinds: [],
    severity: 'behaviour',
    lenient: false,
    title,
    fix: '',
    keptBy: whereItIs,
  }));
}
