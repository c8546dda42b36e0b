/** An entry of one commit at one path. */
export interface TreeEntry {
  readonly mode: string;
  readonly id: string;
  /** Bytes; 0 of what is no file. */
  readonly size: number;
  /** One character for each byte. */
  readonly path: string;
}

/** The output of `git ls-tree -r -z -l`. */
export function parseTree(output: Buffer): readonly TreeEntry[] {
  return output
    .toString('latin1') // byte for byte: names may be in any encoding
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const tab = line.indexOf('\t');
      const [mode = '', , id = '', size = ''] = line.slice(0, tab).split(/ +/);
      return { mode, id, size: size === '-' ? 0 : Number(size), path: line.slice(tab + 1) };
    });
}

export function isLink({ mode }: Pick<TreeEntry, 'mode'>): boolean {
  return mode === '120000';
}

/** More steps than any system takes. */
const mostSteps = 255;

/**
 * The first link that leads out of the repository, whatever other links it takes on its way; undefined: none does.
 * `targets`: of each link by its path.
 */
export function linkToOutside(targets: ReadonlyMap<string, string>): string | undefined {
  return [...targets.keys()].find((path) => leadsOutside(path, targets));
}

function leadsOutside(link: string, targets: ReadonlyMap<string, string>): boolean {
  const at: string[] = [];
  const left = link.split('/');
  for (let steps = 0; left.length > 0; ) {
    const step = left.shift() ?? '';
    if (step === '' || step === '.') continue;
    if (step === '..') {
      if (at.pop() === undefined) return true;
      continue;
    }
    const target = targets.get([...at, step].join('/'));
    if (target === undefined) {
      at.push(step);
      continue;
    }
    steps += 1;
    if (target.startsWith('/') || /^[A-Za-z]:|\\/.test(target)) return true;
    if (steps > mostSteps) return false; // in a circle: it leads nowhere
    left.unshift(...target.split('/'));
  }
  return false;
}

/** A path as people read it. */
export function shownPath(path: string): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}
