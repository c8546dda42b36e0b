/** Kept equal to package.json by a test; a constant, so that `--version` reads no file. */
export const version = '0.1.0';
