import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type { JsonObject } from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';
import { counted } from '../../base/text/counted.ts';
import { ToolError } from '../../base/toolError.ts';
import { type Examined, lacking, type State, sections, type states } from '../../capabilities/examination.ts';
import { rows } from '../../capabilities/kept.ts';
import { type Examination, examinePlatform } from '../../gantry/examinePlatform.ts';
import { systemReason } from '../../project/files/fileRefusal.ts';
import { lifetimes, writeKept } from '../../project/platform/keptCapabilities.ts';
import { openPlatform } from '../../project/platform/platform.ts';
import { addressesOf } from '../../project/settings/endpoints.ts';
import { openProject } from '../../project/settings/project.ts';
import { ask, noTerminal } from '../../terminal/ask.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import { type Interrupt, listenForInterrupt } from '../../terminal/interrupt.ts';
import type { AskOptions, GlobalOptions } from '../../terminal/options.ts';
import type { Palette } from '../../terminal/palette.ts';
import { printable } from '../../terminal/printable.ts';
import { show } from '../../terminal/show.ts';
import { wrapText } from '../../terminal/textWidth.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { version } from '../../terminal/version.ts';
import { doctorForm } from '../schemas/commands.ts';

export interface DoctorOptions extends GlobalOptions, AskOptions {
  readonly write: boolean;
  readonly out?: string;
}

/** Examines which assumptions about a platform hold. Writes nothing to it without `--write`. */
export async function runDoctor(context: CommandContext<DoctorOptions>, paths: readonly string[]): Promise<Ending> {
  const { options, terminal } = context;
  if (options.embedded && options.out !== undefined) {
    throw new UsageError(
      '--out has no effect with --embedded',
      'Leave out one of them: the embedded platform is known.',
    );
  }
  const { settings } = await openProject(context, paths);
  // Ignores earlier findings: this command writes that file.
  const bounds = { exchangeMs: longestAnswerMs };
  const session = { ...context, options: { ...options, bounds } };
  const platform = await openPlatform(session, { ...settings, platform: undefined });
  const progress = followQuestions(options.embedded ? 'the platform' : hostsOf(settings.endpoint ?? ''), terminal);
  try {
    const name = `gantry-doctor-${randomBytes(4).toString('hex')}`;
    if (options.write) await confirm(name, platform.org, context);
    let interrupt: Interrupt | undefined;
    const write = (): AbortSignal => {
      interrupt = listenForInterrupt(
        () => terminal.message(`Interrupted: deleting the GVC ${name}. Ctrl-C again leaves it behind.`),
        () => terminal.message(leftBehind(name)),
      );
      return interrupt.signal;
    };
    progress.begin();
    const how = { name, write: options.write ? write : undefined, onAnswer: progress.onAnswer };
    const examination = await examinePlatform(platform, how).finally(() => {
      interrupt?.release();
      progress.end();
    });
    const { endpoint = '' } = settings;
    const doctor: Doctor = {
      ...examination,
      gantry: version,
      node: process.versions.node,
      wrote: options.write,
      platform: options.embedded ? 'embedded' : hostsOf(endpoint),
      file: options.out,
    };
    const { findings } = examination;
    for (const [id, finding] of findings.known()) platform.client.capabilities.learn(id, finding);
    if (options.out !== undefined) {
      const now = Date.now();
      const target = { endpoint, org: platform.org };
      await writeKept(resolve(context.cwd, options.out), target, findings, {
        now,
        until: now + lifetimes.doctor,
      }).catch((error: unknown) => {
        throw unwritable(options.out ?? '', error);
      });
    }
    await show(context, {
      text: () => renderDoctor(doctor, { palette: terminal.palette, columns: Math.min(terminal.resultColumns(), 80) }),
      document: () => doctorToJson(doctor),
    });
    if (interrupt?.signal.aborted === true) throw interrupted();
    return endingOf(doctor);
  } finally {
    await platform.close();
  }
}

/** Limit for one request: a later answer counts as none. */
const longestAnswerMs = 5_000;
const firstMessageMs = 1_000;

/** Reports on standard error what it waits for, if that takes longer than a moment. */
function followQuestions(platform: string, terminal: CommandContext<DoctorOptions>['terminal']) {
  let progress = 'has not answered yet';
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    terminal.message(`${platform} ${progress}; each answer is waited for ${longestAnswerMs / 1000} s at most …`);
    timer = setTimeout(tell, longestAnswerMs);
  };
  return {
    begin(): void {
      timer = setTimeout(tell, firstMessageMs);
    },
    onAnswer(answered: number, asked: number): void {
      progress = `has answered ${answered} of ${asked} questions`;
    },
    end: () => clearTimeout(timer),
  };
}

/** Errors: `doctor.not-confirmed`. */
async function confirm(name: string, org: string, { options, terminal }: CommandContext<DoctorOptions>): Promise<void> {
  if (options.yes) return;
  const what = `This makes the GVC ${name} in the org ${org}, without locations, and deletes it again.`;
  terminal.message(what);
  if (terminal.canAsk && (await ask('Do it? (yes/no) '))) return;
  throw new ToolError({
    code: 'doctor.not-confirmed',
    message: `${terminal.canAsk ? 'not confirmed' : noTerminal}; nothing was written`,
    hint: 'Add --yes, or leave out --write.',
  });
}

function leftBehind(name: string): string {
  return `The GVC ${name} may be left behind: gantry gvc delete ${name}.`;
}

function interrupted(): ToolError {
  return new ToolError({ code: 'cli.interrupted', message: 'interrupted; the remaining questions were not asked' });
}

function hostsOf(endpoint: string): string {
  return addressesOf(endpoint)
    .map((each) => (URL.canParse(each) ? new URL(each).host : each))
    .join(',');
}

function unwritable(file: string, error: unknown): ToolError {
  return new ToolError({
    code: 'file.write',
    message: `${file}: ${systemReason(error)}`,
    hint: 'Give another file with --out.',
    place: { file },
  });
}

function doctorToJson(doctor: Doctor): JsonObject {
  const missing = lacking(doctor.examined);
  const of = (state: (typeof states)[number]) => doctor.examined.filter((each) => each.state === state).length;
  return doctorForm.write({
    ...doctor,
    formatVersion: 1,
    clockDifference: doctor.clockDifference ?? null,
    usable: missing.length === 0,
    missing,
    summary: {
      holds: of('holds'),
      otherwise: of('otherwise'),
      'not-asked': of('not-asked'),
      'not-knowable': of('not-knowable'),
    },
    assumptions: doctor.examined.map((each) => {
      const { section, assumed, otherwise, needed = false } = rows[each.id];
      return { ...each, section, assumed, otherwise, needed };
    }),
  });
}

function endingOf({ examined, remains }: Doctor): Ending {
  if (remains !== undefined) {
    return new ToolError({
      code: 'doctor.remains',
      message: `the GVC ${remains}, which was made for the questions, could not be deleted`,
      hint: `Delete it: gantry gvc delete ${remains}.`,
    });
  }
  const missing = lacking(examined);
  if (missing.length === 0) return exitCode.ok;
  return new ToolError({
    code: 'doctor.unusable',
    message: `this platform cannot be used: ${missing.join(', ')}`,
    hint: 'Report it with this output: it holds no token, no name and no value.',
    causes: missing.map((id) => ({
      code: 'doctor.unusable',
      message: `${id}: this does not hold: ${rows[id].assumed}`,
    })),
  });
}

/** The examination, with the tool and the platform. */
interface Doctor extends Examination {
  readonly gantry: string;
  readonly node: string;
  /** The host names of its endpoints. */
  readonly platform: string;
  readonly wrote: boolean;
  /** As given by the user. */
  readonly file?: string | undefined;
}

const stateStyles: Readonly<
  Record<State, { readonly symbol: string; readonly paint: keyof Palette; readonly words: string }>
> = {
  holds: { symbol: '✓', paint: 'add', words: 'hold' },
  otherwise: { symbol: '≠', paint: 'change', words: 'otherwise' },
  'not-asked': { symbol: '·', paint: 'faint', words: 'not asked' },
  'not-knowable': { symbol: '·', paint: 'faint', words: 'not knowable' },
};

/** The colours and the width of the text. */
interface DoctorStyle {
  readonly palette: Palette;
  readonly columns: number;
}

/** The text for users and bug reports. Each deviation states its consequences. */
function renderDoctor(doctor: Doctor, style: DoctorStyle): string {
  const blocks = [
    headLines(doctor, style),
    ...Object.entries(sections).map(([group, title]) => sectionLines(group, title, doctor, style)),
    endLines(doctor, style),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function headLines(
  { platform, gantry, node, clockDifference, requests }: Doctor,
  { palette }: DoctorStyle,
): readonly string[] {
  const clock =
    clockDifference === undefined
      ? 'unknown'
      : Math.abs(clockDifference) <= 1
        ? 'as here'
        : `${counted(Math.abs(clockDifference), 'second')} ${clockDifference > 0 ? 'ahead of' : 'behind'} the one here`;
  return [
    `${palette.strong('Platform')}  ${printable(platform)}`,
    `Gantry    ${gantry}, Node ${node}`,
    `Clock     ${clock}`,
    `Requests  ${requests}`,
  ];
}

function sectionLines(group: string, title: string, { examined }: Doctor, style: DoctorStyle): readonly string[] {
  const rowsOfGroup = examined.filter(({ id }) => id.startsWith(`${group}.`));
  if (rowsOfGroup.length === 0) return [];
  const of = (...states: readonly State[]) => rowsOfGroup.filter(({ state }) => states.includes(state));
  return [
    style.palette.strong(title),
    ...of('holds', 'otherwise').flatMap((each) => rowLines(each, style)),
    ...groupLines(of('not-asked'), style),
    ...nameLines('Not knowable', of('not-knowable'), style),
  ];
}

function rowLines({ id, state, detail }: Examined, { palette, columns }: DoctorStyle): readonly string[] {
  const { symbol, paint } = stateStyles[state];
  const { assumed, otherwise, needed } = rows[id];
  const [first = '', ...rest] = wrapText(`${id}: ${assumed}`, columns - 4);
  const lines = [`  ${palette[paint](symbol)} ${first}`, ...rest.map((line) => `    ${line}`)];
  if (state === 'holds') return lines;
  const found = detail === undefined ? 'It does not hold.' : `It does not hold: ${printable(detail)}.`;
  const text = `${found} ${otherwise}`;
  const colour = needed === true ? palette.refuse : palette.change;
  return [...lines, ...wrapText(text, columns - 6).map((line) => `      ${colour(line)}`)];
}

/** Assumptions that were not examined, grouped by reason. */
function groupLines(found: readonly Examined[], style: DoctorStyle): readonly string[] {
  return [...Map.groupBy(found, ({ because }) => because ?? '')].flatMap(([because, group]) =>
    nameLines(`Not asked (${because})`, group, style),
  );
}

function nameLines(title: string, found: readonly Examined[], { palette, columns }: DoctorStyle): readonly string[] {
  if (found.length === 0) return [];
  const text = `${title}: ${found.map(({ id }) => id).join(', ')}`;
  return wrapText(text, columns, '  · ', '    ').map(palette.faint);
}

function endLines({ examined, file, wrote, remains }: Doctor, { palette, columns }: DoctorStyle): readonly string[] {
  const counts = compact(Object.entries(stateStyles), ([state, { words }]) => {
    const count = examined.filter((each) => each.state === state).length;
    return count === 0 ? undefined : `${count} ${words}`;
  });
  const missing = lacking(examined);
  const verdict =
    missing.length === 0
      ? 'Usable: where an assumption does not hold, Gantry works in another way, or refuses before any write.'
      : `Not usable: ${missing.join(', ')}.`;
  const next = compact([
    wrote ? undefined : 'gantry doctor --write also asks what writes do.',
    remains === undefined ? undefined : `The GVC ${remains} could not be deleted: gantry gvc delete ${remains}.`,
    file === undefined ? undefined : `Wrote ${file}: commit it beside gantry.yaml.`,
  ]);
  return [
    `${palette.strong(`${counted(examined.length, 'assumption')}:`)} ${counts.join(', ')}.`,
    ...wrapText(verdict, columns).map(missing.length === 0 ? palette.add : palette.refuse),
    ...next.flatMap((line) => wrapText(line, columns)),
  ];
}
