/** The first member of the file, by which it is recognised whatever its name is. */
export const savedPlanName = 'saved-plan';

const beginning = new RegExp(`^\\uFEFF?\\s*\\{\\s*"gantry"\\s*:\\s*"${savedPlanName}"`);

/** The start of a file, which is enough to recognise a saved plan. */
export const beginningBytes = 512;

/** Does a text begin as a saved plan does? */
export function isSavedPlan(text: string): boolean {
  return beginning.test(text);
}
