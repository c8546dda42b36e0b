/** The first member of the file, by which it is recognised under any name. */
export const savedPlanName = 'saved-plan';

const beginning = new RegExp(`^\\uFEFF?\\s*\\{\\s*"gantry"\\s*:\\s*"${savedPlanName}"`);

/** Length of the start that is enough to recognise a saved plan. */
export const beginningBytes = 512;

/** Whether a text begins like a saved plan. */
export function isSavedPlan(text: string): boolean {
  return beginning.test(text);
}
