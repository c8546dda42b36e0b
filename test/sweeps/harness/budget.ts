/** `npm run sweep` takes everything, and so does a number of its own; else a test run takes a sample. */
const asked = process.env['GANTRY_SWEEP'];
export const isWhole = asked !== undefined;
export const seed = process.env['GANTRY_SWEEP_SEED'] ?? '7';

/** What a whole sweep has swept; a sample is too small to be told of. */
export function tell(figures: string): void {
  if (isWhole) process.stdout.write(`${figures}\n`);
}
