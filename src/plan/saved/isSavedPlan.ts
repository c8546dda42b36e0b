/** The first member of the file, by which it is recognised whatever its name is. */
export const savedPlanName = 'saved-plan';

const beginning = new RegExp(`^\\uFEFF?\\s*\\{\\s*"gantry"\\s*:\\s*"${savedPlanName}"`);

/** Does a text begin as a saved plan does? Its first 512 bytes are enough. */
export function isSavedPlan(text: string): boolean {
  return beginning.test(text);
}
