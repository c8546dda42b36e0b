/** Whether a file matches a pattern of artifacts, in which `*` matches anything. */
export function matches(pattern: string, file: string): boolean {
  const [start = '', ...rest] = pattern.split('*');
  return rest.length === 0 ? file === start : file.startsWith(start) && file.endsWith(rest.join('*'));
}
