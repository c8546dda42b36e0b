import type { Position } from '../src/manifest/model/manifest.ts';

/** Enough to leave the constructs of a library behind, and to cost little. */
const frames = 4;

/**
 * The line of user code that made a construct. Taking it costs about a microsecond: the engine notes the frames, and
 * makes text of them only when somebody asks.
 */
export class Origin {
  declare readonly stack: unknown;

  /** `made`: the class or method whose call is looked for; frames up to it are left out. */
  constructor(made: (abstract new (...parameters: never[]) => unknown) | ((...parameters: never[]) => unknown)) {
    const before = Error.stackTraceLimit;
    Error.stackTraceLimit = frames;
    Error.captureStackTrace(this, made);
    Error.stackTraceLimit = before;
  }

  position(): Position {
    return typeof this.stack === 'string' ? (userFrame(this.stack) ?? nowhere) : nowhere;
  }
}

export const nowhere: Position = { file: '(stack)', line: 1, column: 1 };

/** The first frame that is a file, and not one of an installed package, of the runtime, or of `ours`. */
export function userFrame(stack: string, ours: (file: string) => boolean = () => false): Position | undefined {
  for (const line of stack.split('\n')) {
    const frame = /(?:\(|at |@)((?:file:\/\/|\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)\)?$/.exec(line);
    const [, place = '', row, column] = frame ?? [];
    if (place === '' || place.includes('/node_modules/')) continue;
    const file = pathOf(place);
    if (!ours(file)) return { file, line: Number(row), column: Number(column) };
  }
  return undefined;
}

function pathOf(place: string): string {
  if (!place.startsWith('file://')) return place;
  const withoutQuery = place.replace(/\?.*$/, '');
  try {
    return decodeURIComponent(withoutQuery.slice('file://'.length));
  } catch {
    return withoutQuery.slice('file://'.length);
  }
}
