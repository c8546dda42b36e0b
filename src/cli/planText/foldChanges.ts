import { counted } from '../../base/text/counted.ts';
import type { Change } from '../../plan/model/change.ts';
import { printable } from '../../terminal/printable.ts';
import { wrapText } from '../../terminal/wrapText.ts';
import { type ChangeLook, headOf, renderBody, renderHead, renderRefusal } from './changeText.ts';
import { looks } from './symbols.ts';

/** Fewer equal changes than this are shown one by one. */
const fewestFolded = 3;
/** Names beyond this are counted only. */
const mostNames = 60;
/** Names are wrapped also where lines may have any length. */
const widestNames = 120;
const indent = '      ';

/**
 * The blocks of a plan, in its order. Changes that read the same but for their names are one block with all of the
 * names, where the first of them stands.
 */
export function renderChanges(changes: readonly Change[], look: ChangeLook): readonly (readonly string[])[] {
  if (changes.length === 0) return [];
  if (look.detail === 'compact') return [changes.flatMap((change) => inShort(change, look))];
  const shown = changes.map((change) => {
    const body = renderBody(change, look);
    return { change, body, key: [change.kind, ...headOf(change, '', undefined, look), ...body].join('\n') };
  });
  const alike = Map.groupBy(shown, ({ key }) => key);
  return shown.flatMap(({ change, body, key }) => {
    const group = alike.get(key) ?? [];
    if (look.detail === 'full' || group.length < fewestFolded) return [[...renderHead(change, look), ...body]];
    if (group[0]?.change !== change) return [];
    const ids = group.map((each) => each.change.id);
    return [[...renderNames(change, ids, look), ...body]];
  });
}

/** What is refused says why here too: otherwise nobody knows what to do about it. */
function inShort(change: Change, look: ChangeLook): readonly string[] {
  const room = { ...look, width: look.width - indent.length };
  const why = change.refusals.flatMap((refusal) => renderRefusal(refusal, room));
  return [...renderHead(change, look), ...why.map((line) => `${indent}${line}`)];
}

function renderNames(first: Change, ids: readonly string[], look: ChangeLook): readonly string[] {
  const named = ids.slice(0, mostNames).map(printable).join(', ');
  const more = ids.length <= mostNames ? '' : ` and ${ids.length - mostNames} more (--full shows each)`;
  const count = `${counted(ids.length, first.kind)} ${looks[first.action].todo}`;
  return [
    ...headOf(first, count, undefined, look),
    ...wrapText(`${named}${more}`, Math.min(look.width, widestNames), indent),
  ];
}
