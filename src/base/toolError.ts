export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/** One of several failures that are reported together. */
export interface ErrorCause {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly resource?: string | undefined;
  readonly place?: Place | undefined;
  /** The path of its construct, for resources made by code. */
  readonly construct?: string | undefined;
  /** The lines of code that called the one at `place`, innermost first. */
  readonly callers?: readonly Place[] | undefined;
}

export interface ToolErrorFields {
  /** Stable and dotted (`plan.cycle`). Scripts match on it; renaming one is a breaking change. */
  readonly code: string;
  readonly message: string;
  /** The next step for the reader. */
  readonly hint?: string | undefined;
  /** The id of the affected resource. */
  readonly resource?: string | undefined;
  readonly place?: Place | undefined;
  /** For programs: the failures that the message summarises. */
  readonly causes?: readonly ErrorCause[];
  readonly cause?: unknown;
}

/** A failure that a user can act on. Other thrown errors are our own mistakes. */
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

/** Returns undefined on a ToolError, which a user can act on. Rethrows other errors. */
export async function unlessToolError<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
