import type { Plan } from '../plan/plan.ts';
import type { CommandContext } from './context.ts';
import type { GlobalOptions } from './options.ts';
import { makePalette } from './render/palette.ts';
import { hasTextChanges, renderPlan } from './render/planText.ts';

/** The plan for people, with line diffs loaded only where there is text to compare. */
export async function planText(
  plan: Plan,
  { options, terminal }: CommandContext<GlobalOptions & { readonly patch: boolean }>,
): Promise<string> {
  const lineDiff = hasTextChanges(plan) ? (await import('./render/lineDiff.ts')).lineDiff : undefined;
  const palette = options.output === 'text' ? terminal.palette : makePalette(false);
  return renderPlan(plan, { palette, lineDiff, bodies: options.patch });
}
