import { counted } from '../../../base/text/counted.ts';
import { type Examined, lacking, type State, sections } from '../../../capabilities/doctor/examination.ts';
import { rows } from '../../../capabilities/kept.ts';
import type { Examination } from '../../../gantry/reading/examinePlatform.ts';
import type { Palette } from '../../../terminal/palette.ts';
import { printable } from '../../../terminal/printable.ts';
import { wrapText } from '../../../terminal/wrapText.ts';

/** An examination, and who asked whom. */
export interface Doctor extends Examination {
  readonly gantry: string;
  readonly node: string;
  /** The hosts of its addresses. */
  readonly platform: string;
  readonly wrote: boolean;
  /** As it was given. */
  readonly file?: string | undefined;
}

const looks: Readonly<
  Record<State, { readonly symbol: string; readonly paint: keyof Palette; readonly words: string }>
> = {
  holds: { symbol: '✓', paint: 'add', words: 'hold' },
  otherwise: { symbol: '≠', paint: 'change', words: 'otherwise' },
  'not-asked': { symbol: '·', paint: 'faint', words: 'not asked' },
  'not-knowable': { symbol: '·', paint: 'faint', words: 'not knowable' },
};

/** For people, and for a report of a fault. What is otherwise says what follows from it. */
export function renderDoctor(doctor: Doctor, palette: Palette, columns: number): string {
  const blocks = [
    headLines(doctor, palette),
    ...Object.entries(sections).map(([group, title]) => sectionLines(group, title, doctor, palette, columns)),
    endLines(doctor, palette, columns),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function headLines({ platform, gantry, node, clockDifference, requests }: Doctor, palette: Palette): readonly string[] {
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

function sectionLines(
  group: string,
  title: string,
  { examined }: Doctor,
  palette: Palette,
  columns: number,
): readonly string[] {
  const own = examined.filter(({ id }) => id.startsWith(`${group}.`));
  if (own.length === 0) return [];
  const of = (...states: readonly State[]) => own.filter(({ state }) => states.includes(state));
  return [
    palette.strong(title),
    ...of('holds', 'otherwise').flatMap((each) => rowLines(each, palette, columns)),
    ...groupLines(of('not-asked'), palette, columns),
    ...nameLines('Not knowable', of('not-knowable'), palette, columns),
  ];
}

function rowLines({ id, state, detail }: Examined, palette: Palette, columns: number): readonly string[] {
  const { symbol, paint } = looks[state];
  const { assumed, otherwise, needed } = rows[id];
  const [first = '', ...rest] = wrapText(`${id}: ${assumed}`, columns - 4);
  const lines = [`  ${palette[paint](symbol)} ${first}`, ...rest.map((line) => `    ${line}`)];
  if (state === 'holds') return lines;
  const found = detail === undefined ? 'It is not so.' : `It is not so: ${printable(detail)}.`;
  const said = `${found} ${otherwise}`;
  const colour = needed === true ? palette.refuse : palette.change;
  return [...lines, ...wrapText(said, columns - 6).map((line) => `      ${colour(line)}`)];
}

/** What was not asked, by the reason. */
function groupLines(found: readonly Examined[], palette: Palette, columns: number): readonly string[] {
  return [...Map.groupBy(found, ({ because }) => because ?? '')].flatMap(([because, group]) =>
    nameLines(`Not asked (${because})`, group, palette, columns),
  );
}

function nameLines(title: string, found: readonly Examined[], palette: Palette, columns: number): readonly string[] {
  if (found.length === 0) return [];
  const text = `${title}: ${found.map(({ id }) => id).join(', ')}`;
  return wrapText(text, columns, '  · ', '    ').map(palette.faint);
}

function endLines({ examined, file, wrote, remains }: Doctor, palette: Palette, columns: number): readonly string[] {
  const counts = Object.entries(looks).flatMap(([state, { words }]) => {
    const count = examined.filter((each) => each.state === state).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  const missing = lacking(examined);
  const verdict =
    missing.length === 0
      ? 'Usable: what is otherwise is done in another way, or refused before any write.'
      : `Not usable: ${missing.join(', ')}.`;
  const next = [
    ...(wrote ? [] : ['gantry doctor --write also asks what writes do.']),
    ...(remains === undefined ? [] : [`The GVC ${remains} could not be deleted: gantry gvc delete ${remains}.`]),
    ...(file === undefined ? [] : [`Wrote ${file}: commit it beside gantry.yaml.`]),
  ];
  return [
    `${palette.strong(`${counted(examined.length, 'assumption')}:`)} ${counts.join(', ')}.`,
    ...wrapText(verdict, columns).map(missing.length === 0 ? palette.add : palette.refuse),
    ...next.flatMap((line) => wrapText(line, columns)),
  ];
}
