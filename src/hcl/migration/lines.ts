/** The fate of the lines of a configuration; empty ones do not count. */
export interface Lines {
  readonly all: number;
  /** Those that stay as they are, wherever they are put: indentation and alignment aside. */
  readonly same: number;
  /** Those in which nothing but names changes. */
  readonly renamed: number;
}

/** One file before and after. `open`: numbers of lines that are left to a person. */
export function linesOf(before: string, after: string, open: ReadonlySet<number>): Lines {
  const lines = before.split('\n').map((line, at) => ({ line: plain(line), isOpen: open.has(at + 1) }));
  const written = lines.filter(({ line }) => line !== '');
  const rest = after.split('\n').map(plain);
  const left = without(
    written.flatMap(({ line, isOpen }) => (isOpen ? [] : [line])),
    rest,
  );
  const same = written.filter(({ isOpen }) => !isOpen).length - left.of.length;
  const others = without(left.of.map(shapeOf), left.from.map(shapeOf)).of.length;
  return { all: written.length, same, renamed: left.of.length - others };
}

export function sumOfLines(files: readonly Lines[]): Lines {
  const sum = (of: (lines: Lines) => number): number => files.reduce((total, each) => total + of(each), 0);
  return { all: sum(({ all }) => all), same: sum(({ same }) => same), renamed: sum(({ renamed }) => renamed) };
}

/** The lines of one that the other lacks, each as often as it is there. */
function without(
  of: readonly string[],
  from: readonly string[],
): { readonly of: readonly string[]; readonly from: readonly string[] } {
  const counts = new Map<string, number>();
  for (const line of from) counts.set(line, (counts.get(line) ?? 0) + 1);
  const rest = of.filter((line) => {
    const count = counts.get(line) ?? 0;
    if (count > 0) counts.set(line, count - 1);
    return count === 0;
  });
  return { of: rest, from: [...counts].flatMap(([line, count]) => Array.from({ length: count }, () => line)) };
}

function plain(line: string): string {
  return line.trim().replaceAll(/[ \t]+/g, ' ');
}

/** Of the labels of a resource the first is a name of its provider. */
function shapeOf(line: string): string {
  return withoutNames(line.replace(/^(resource|data) "[^"]*"/, '$1'));
}

/** With one sign for each reference and each name; texts stay, but for what is read in them. */
function withoutNames(line: string): string {
  return line.replaceAll(
    /"(?:[^"\\$]|\\.|\$(?!\{)|\$\{[^}]*\})*"|[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*|\[[^\]]*\])*/g,
    (part) => (part.startsWith('"') ? part.replaceAll(/\$\{[^}]*\}/g, (read) => withoutNames(read.slice(1))) : '_'),
  );
}
