/** Whether a file is one of a pattern of artifacts, with `*` for anything. */
export function matches(pattern: string, file: string): boolean {
  const [start = '', ...rest] = pattern.split('*');
  return rest.length === 0 ? file === start : file.startsWith(start) && file.endsWith(rest.join('*'));
}
