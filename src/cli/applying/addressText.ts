import type { ChangeRun } from '../../apply/report/events.ts';
import type { Palette } from '../terminal/palette.ts';
import { printable } from '../terminal/printable.ts';
import { padText, textWidth } from '../terminal/textWidth.ts';

/** More resources than these are counted only: gantry status shows all. */
const mostShown = 10;
const usualColumns = 80;

/** Where what was written, or waited for, answers: a line for each resource. */
export function renderAddresses(changes: readonly ChangeRun[], palette: Palette): readonly string[] {
  const answering = changes.filter(({ outcome }) => outcome === 'done' || outcome === 'ready').flatMap(withAddress);
  if (answering.length === 0) return [];
  const shown = answering.slice(0, mostShown);
  const width = Math.max(...shown.map(({ id }) => textWidth(id)));
  const isWide = shown.some(({ address }) => width + textWidth(address) + '    '.length > usualColumns);
  const lines = shown.flatMap(({ id, address }) =>
    isWide ? [`  ${id}`, `      ${address}`] : [`  ${padText(id, width)}  ${address}`],
  );
  const more = answering.length - shown.length;
  return [
    palette.strong('Addresses:'),
    ...lines,
    ...(more === 0 ? [] : [palette.faint(`  and ${more} more: gantry status shows them`)]),
  ];
}

/** The first address stands for all of a resource. */
function withAddress({ id, endpoints = [] }: ChangeRun): readonly { readonly id: string; readonly address: string }[] {
  const [first, ...others] = endpoints;
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return [{ id: printable(id), address: `${printable(first)}${more}` }];
}
