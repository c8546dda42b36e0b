/**
 * Makes a folder and those above it that are missing, for their owner only. Returns the highest that it made; undefined:
 * all were there. `mkdir` with `recursive` is not used: where a file system takes no new names and says that nothing is
 * there (`/proc`, homes that are mounted on demand), Node tries again without end.
 */
export function makeFolders(path: string): string | undefined {
  const { mkdirSync, statSync } = process.getBuiltinModule('node:fs');
  const isThere = () => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) return undefined;
  const above = process.getBuiltinModule('node:path').dirname(path);
  const made = above === path ? undefined : makeFolders(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!isThere()) throw error; // else another process was first
  }
  return made ?? path;
}
