import { ToolError } from '../../../base/toolError.ts';

/** Which version of Gantry wrote a layout of SQLite. */
const writers: Readonly<Record<number, string>> = {
  1: 'a development version before Gantry 0.1.0',
  2: 'Gantry 0.1.0',
};

/** A database of another version. `found` and `known`: the numbers of its layout and of ours. */
export function otherLayout(found: number, known: number): ToolError {
  const isNewer = found > known;
  const writer = isNewer ? 'a newer version of Gantry' : (writers[found] ?? 'an older version of Gantry');
  return new ToolError({
    code: 'server.data',
    message: `the database has the layout ${found}, which ${writer} wrote; this version reads the layout ${known}`,
    hint: isNewer
      ? 'Use that version, or another database.'
      : 'Start that version on it, save GET /-snapshot?secrets=true, and load the file into a new database: PUT /-snapshot.',
  });
}
