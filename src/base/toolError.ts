/** A place in a file. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/** One of several things that went wrong at once. */
export interface ErrorCause {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly resource?: string | undefined;
  readonly place?: Place | undefined;
  /** Of what code made: the path of its construct. */
  readonly construct?: string | undefined;
  /** The lines of code that called the one at `place`, from the inside out. */
  readonly callers?: readonly Place[] | undefined;
}

export interface ToolErrorFields {
  /** Stable and dotted (`plan.cycle`). Scripts match on it; renaming one is a breaking change. */
  readonly code: string;
  readonly message: string;
  /** The next step for the reader. */
  readonly hint?: string | undefined;
  /** The id of the resource that it is about. */
  readonly resource?: string | undefined;
  readonly place?: Place | undefined;
  /** For programs: what the message sums up. */
  readonly causes?: readonly ErrorCause[];
  readonly cause?: unknown;
}

/** A failure that a person can act on. Anything else that is thrown is our own mistake. */
export class ToolError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly resource: string | undefined;
  readonly place: Place | undefined;
  readonly causes: readonly ErrorCause[];

  constructor({ code, message, hint, resource, place, causes = [], cause }: ToolErrorFields) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = hint;
    this.resource = resource;
    this.place = place;
    this.causes = causes;
  }
}

/** Undefined: it failed for a reason that a person can act on. Other errors are thrown. */
export async function unlessToolError<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
