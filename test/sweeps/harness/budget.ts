/** `npm run sweep` takes every point, and so does an explicit number; otherwise a test run takes a sample. */
const asked = process.env['GANTRY_SWEEP'];
export const isWhole = asked !== undefined;
export const seed = process.env['GANTRY_SWEEP_SEED'] ?? '7';

/** Prints the figures of a whole sweep; a sample is too small. */
export function tell(figures: string): void {
  if (isWhole) process.stdout.write(`${figures}\n`);
}
