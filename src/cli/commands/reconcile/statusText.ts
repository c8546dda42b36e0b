import { counted } from '../../../base/text/counted.ts';
import { minuteOf } from '../../../plan/model/cause.ts';
import type { StackStateName, StackSummary, TargetState } from '../../../reconcile/model.ts';
import type { Palette } from '../../../terminal/palette.ts';
import { printable } from '../../../terminal/printable.ts';
import { padText, textWidth } from '../../../terminal/textWidth.ts';

const tones: Readonly<Record<StackStateName, 'add' | 'change' | 'remove' | 'faint'>> = {
  new: 'faint',
  'in line': 'add',
  drifted: 'change',
  waiting: 'change',
  failing: 'remove',
  paused: 'faint',
  running: 'faint',
};

/** Each stack in a line: what it is called, how it is, why. Then the notifications that are not taken. */
export function renderStatus(
  stacks: readonly StackSummary[],
  targets: readonly TargetState[],
  palette: Palette,
): string {
  if (stacks.length === 0) return 'No stacks. List them in reconcile.yaml, and run gantry reconcile.';
  const width = Math.max(...stacks.map(({ entry }) => textWidth(printable(entry.name))));
  const lines = stacks.map(({ entry, state }) => {
    const facts = [
      state.because,
      state.pause?.untilMs === undefined ? undefined : `until ${minuteOf(new Date(state.pause.untilMs).toISOString())}`,
      state.counts === undefined ? undefined : changesText(state.counts),
      state.worstRisk === undefined || state.worstRisk === 'none' ? undefined : `risk: ${state.worstRisk}`,
      state.plan === undefined ? undefined : `plan ${state.plan.slice(0, 12)}`,
    ].filter((fact) => fact !== undefined);
    const name = padText(printable(entry.name), width);
    const shown = palette[tones[state.state]](padText(state.state, longestState));
    return `${palette.strong(name)}  ${shown}  ${padText(entry.mode, 'propose'.length)}  ${facts.map(printable).join('; ')}`.trimEnd();
  });
  return [...lines, ...targets.flatMap((target) => undelivered(target, palette))].join('\n');
}

function undelivered({ name, waiting, failing }: TargetState, palette: Palette): readonly string[] {
  if (failing === undefined) return [];
  const since = new Date(failing.sinceMs).toISOString();
  const many = counted(waiting, 'notification');
  return [palette.remove(printable(`${name}: ${many} not delivered since ${since}: ${failing.because}`))];
}

const longestState = Math.max(...Object.keys(tones).map(({ length }) => length));

function changesText(counts: NonNullable<StackSummary['state']['counts']>): string {
  const parts = Object.entries(counts).filter(([action, count]) => action !== 'keep' && count > 0);
  return parts.map(([action, count]) => `${action} ${count}`).join(', ');
}
