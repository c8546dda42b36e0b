import type { SavedInputs } from '../../plan/saved/savedPlan.ts';
import type { Settings } from '../settings/settings.ts';
import type { PlanInput } from './planFromPlatform.ts';

/** What the settings of a project say of every plan that is made now. */
export function planSettings({
  directives,
  price,
  environment,
}: Settings): Pick<PlanInput, 'directives' | 'price' | 'limits' | 'nowMs'> {
  return { directives, price, limits: environment?.settings.limits, nowMs: Date.now() };
}

/** What stands for the inputs of a plan whose stack was made by a program: they cannot be read again. */
export const inputOfProgram = '(program)';

/** Where a plan that is kept came from. `paths`: as they were given. */
export function savedInputs(paths: readonly string[], { gvc, environment }: Settings): SavedInputs {
  return {
    paths: paths.length === 0 ? ['.'] : paths,
    ...(gvc === undefined ? {} : { gvc }),
    ...(environment === undefined ? {} : { environment: environment.name }),
  };
}
