import { present } from '../../base/json/present.ts';
import type { SavedInputs } from '../../change/savedPlan.ts';
import { limitsInForce } from '../../project/settings/inForce.ts';
import type { Settings } from '../../project/settings/settings.ts';
import type { PlanInput } from './planFromPlatform.ts';

/** The settings of a project that apply to every plan made now. */
export function planSettings(settings: Settings): Pick<PlanInput, 'directives' | 'price' | 'limits' | 'nowMs'> {
  const { directives, price } = settings;
  return { directives, price, limits: limitsInForce(settings), nowMs: Date.now() };
}

/** Stands for the inputs of a plan whose stack was made by a program: they cannot be read again. */
export const inputOfProgram = '(program)';

/** Where a plan that is kept came from. `paths`: as they were given. */
export function savedInputs(paths: readonly string[], { gvc, environment }: Settings): SavedInputs {
  return {
    paths: paths.length === 0 ? ['.'] : paths,
    ...present({ gvc, environment: environment?.name }),
  };
}
