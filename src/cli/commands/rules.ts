import { behaviours } from '../../kinds/behaviours.ts';
import { rules } from '../../kinds/registry.ts';
import { errorCodes } from '../../schema/facts/errorCodes.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import type { OutputOptions } from '../../terminal/options.ts';
import { show } from '../../terminal/show.ts';
import { renderTable, type TableColumn } from '../../terminal/table.ts';

/** Prints every rule: those checked on a record, those that are behaviour, and the error codes of the platform. */
export async function runRules(context: CommandContext<OutputOptions>): Promise<Ending> {
  const { terminal } = context;
  await show(context, {
    text: () => renderTable(columns, rows(), { palette: terminal.palette, width: terminal.resultColumns() }),
    document: () => [...checked(), ...behaving(), ...refusing()],
  });
  return exitCode.ok;
}

const columns: readonly TableColumn[] = [
  { title: 'rule' },
  { title: 'kind', rank: 1 },
  { title: 'severity', rank: 2 },
  { title: 'section', rank: 3 },
  { title: 'title' },
];

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
    ...refusing().map(({ id, status, section, title }) => [id, '', `HTTP ${status}`, section, title]),
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

/** No record can break them, so they have neither a severity nor a fix. */
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

/** Includes the error codes, so one list has everything that a response can name. */
function refusing() {
  return Object.entries(errorCodes).map(([id, { status, title }]) => ({
    id,
    section: 'errors.codes',
    kind: '',
    kinds: [],
    severity: 'refusal',
    lenient: false,
    title,
    fix: '',
    keptBy: 'server',
    status,
  }));
}
