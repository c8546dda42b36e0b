import { ToolError } from './toolError.ts';

/** Contradictory or missing flags. */
export class UsageError extends ToolError {
  constructor(message: string, hint = 'See gantry --help.') {
    // The message repeats the input, which may be a whole file.
    super({ code: 'cli.usage', message: message.replace(longWord, (word) => `${word.slice(0, longestWord)}…`), hint });
  }
}

const longestWord = 200;
const longWord = new RegExp(`\\S{${longestWord + 1},}`, 'g');
