import type { Position } from '../src/manifest/model/manifest.ts';

/** Enough frames to get past a library's constructs to their callers, at a low cost. */
const frames = 8;

/**
 * The lines of user code that created a construct. Capturing them takes about a microsecond: the engine notes the
 * frames, and formats them only when they are read.
 */
export class Origin {
  declare readonly stack: unknown;
  #frames: readonly Position[] | undefined;

  /** `made`: the class or method whose call is searched; frames up to it are omitted. */
  constructor(made: (abstract new (...parameters: never[]) => unknown) | ((...parameters: never[]) => unknown)) {
    const before = Error.stackTraceLimit;
    Error.stackTraceLimit = frames;
    Error.captureStackTrace(this, made);
    Error.stackTraceLimit = before;
  }

  position(): Position {
    return this.#userFrames()[0] ?? nowhere;
  }

  /** The lines that called the code at `position()`, innermost first: for example the creation of a component. */
  callers(): readonly Position[] {
    return this.#userFrames().slice(1);
  }

  #userFrames(): readonly Position[] {
    const { stack } = this;
    this.#frames ??= typeof stack === 'string' ? [...userFrames(stack, isOwn)] : [];
    return this.#frames;
  }
}

export const nowhere: Position = { file: '(stack)', line: 1, column: 1 };

/** The first frame in a file that is not of an installed package, of the runtime, or of `ours`. */
export function userFrame(stack: string, ours: (file: string) => boolean = () => false): Position | undefined {
  return userFrames(stack, ours).next().value;
}

/** All of them, innermost first. */
export function* userFrames(stack: string, ours: (file: string) => boolean): Generator<Position, undefined> {
  for (const line of stack.split('\n')) {
    const place = places.get(line) ?? placeOf(line);
    places.set(line, place);
    if (place !== nowhere && !ours(place.file)) yield place;
  }
}

/** The position of each stack line, cached because a few lines of a program create thousands of constructs. */
const places = new Map<string, Position>();

/** `nowhere` if it is not a file, or one of an installed package or of the runtime. */
function placeOf(frame: string): Position {
  const [, place = '', line, column] =
    /(?:\(|at |@)((?:file:\/\/|\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)\)?$/.exec(frame) ?? [];
  if (place === '' || place.includes('/node_modules/')) return nowhere;
  return { file: pathOf(place), line: Number(line), column: Number(column) };
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

/** The folder of this package's own constructs, in the source or in a build: our components are not user code. */
const ownFolder = ((): string | undefined => {
  const file = userFrame(new Error().stack ?? '')?.file;
  const [folder] = /^.*[\\/](?:constructs|dist)[\\/]/.exec(file ?? '') ?? [];
  return folder;
})();

function isOwn(file: string): boolean {
  return ownFolder !== undefined && file.startsWith(ownFolder);
}
