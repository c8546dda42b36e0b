/** One question to the sandbox: does the expression choose the record? */
export interface Question {
  readonly language: 'javascript' | 'jmespath';
  readonly expression: string;
  /** The identity as it is shown, as JSON text. */
  readonly record: string;
}

export interface Asked extends Question {
  readonly id: number;
}

export interface Answered {
  readonly id: number;
  readonly chosen: boolean;
}

/** The first message of the worker, sent after it has loaded. */
export const ready = 'ready';
