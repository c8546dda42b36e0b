export interface ToolErrorFields {
  /** Stable and dotted (`plan.cycle`). Scripts match on it; renaming one is a breaking change. */
  readonly code: string;
  readonly message: string;
  /** What the reader can do next. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/** A failure that a person can act on. Anything else that is thrown is our own mistake. */
export class ToolError extends Error {
  readonly code: string;
  readonly hint: string | undefined;

  constructor({ code, message, hint, cause }: ToolErrorFields) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = hint;
  }
}
