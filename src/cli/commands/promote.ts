import { compact } from '../../base/json/present.ts';
import { counted } from '../../base/text/counted.ts';
import { differs, promotionToJson } from '../../change/documents/promotionDocument.ts';
import type { CarriedValue, Promotion, PromotionDifference, Side } from '../../change/promotion.ts';
import { promote } from '../../gantry/promote.ts';
import { formatPosition } from '../../manifest/model/locatedProblem.ts';
import { type FieldChange, isHidden } from '../../plan/model/change.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import type { GlobalOptions } from '../../terminal/options.ts';
import type { Palette } from '../../terminal/palette.ts';
import { printable } from '../../terminal/printable.ts';
import { show } from '../../terminal/show.ts';

export interface PromoteCommandOptions extends GlobalOptions {
  readonly write: boolean;
  readonly detailedExitcode: boolean;
}

/** Needs no platform. Writes only `gantry.yaml`, and only with `--write`. */
export async function runPromote(
  context: CommandContext<PromoteCommandOptions>,
  names: { readonly from: string; readonly to: string },
  paths: readonly string[],
): Promise<Ending> {
  const { options, terminal } = context;
  const promotion = await promote(context, paths, { ...names, write: options.write });
  await show(context, {
    text: () => renderPromotion(promotion, terminal.palette),
    document: () => promotionToJson(promotion),
  });
  return options.detailedExitcode && differs(promotion) ? exitCode.changes : exitCode.ok;
}

/** The carried values, and the differences with the positions of both values. */
function renderPromotion(promotion: Promotion, palette: Palette): string {
  const { from, to, carried, isWritten, differences } = promotion;
  const forbidden = differences.filter(({ mayDiffer }) => !mayDiffer);
  const permitted = differences.length - forbidden.length;
  const written = isWritten ? 'carried over' : 'carried over with --write';
  return [
    `${palette.strong(printable(from))} to ${palette.strong(printable(to))}`,
    ...(carried.length === 0
      ? []
      : ['', `${counted(carried.length, 'value')} ${written}:`, ...carried.map(carriedLine)]),
    ...forbidden.flatMap((each, index) => [
      ...(each.resource === forbidden[index - 1]?.resource ? [] : ['', palette.strong(printable(each.resource))]),
      ...differenceLines(each, promotion),
    ]),
    '',
    summary(forbidden.length, permitted),
  ].join('\n');
}

function summary(forbidden: number, permitted: number): string {
  if (permitted === 0) return forbidden === 0 ? 'Nothing differs.' : `${counted(forbidden, 'difference')}.`;
  const allowed = 'allowed by promotion.may-differ';
  if (forbidden === 0) return `${counted(permitted, 'difference')}, ${permitted === 1 ? '' : 'all '}${allowed}.`;
  return `${counted(forbidden, 'difference')}, and ${permitted} more ${allowed}.`;
}

function carriedLine({ path, from, to }: CarriedValue): string {
  const name = printable(`values.${path.join('.')}`);
  if (from === undefined) return `  ${name}  (a secret is made of it)`;
  return `  ${name}  ${to === undefined ? '(none)' : valueText(to)} → ${valueText(from)}`;
}

function differenceLines({ path, from, to }: PromotionDifference, names: Promotion): readonly string[] {
  const sides = [sideLine(names.from, from, path === ''), sideLine(names.to, to, path === '')];
  return compact([path === '' ? undefined : `  ${printable(path)}`, ...sides]);
}

function sideLine(name: string, side: Side | undefined, isWhole: boolean): string {
  if (side === undefined) return `    ${printable(name)}: not declared`;
  const value = isWhole || side.value === undefined ? 'declared' : valueText(side.value);
  return `    ${printable(name)}: ${value}  ${printable(formatPosition(side.at))}`;
}

/** One line; secrets are hidden. */
function valueText(value: FieldChange['new']): string {
  if (isHidden(value)) return '(sensitive)';
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return printable(text.length > longest ? `${text.slice(0, longest)}…` : text);
}

const longest = 200;
