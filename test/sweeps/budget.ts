/** `npm run sweep` takes everything, and so does a number of its own; else a test run takes a sample. */
const asked = process.env['GANTRY_SWEEP'];
export const isWhole = asked !== undefined;
export const seed = process.env['GANTRY_SWEEP_SEED'] ?? '7';
