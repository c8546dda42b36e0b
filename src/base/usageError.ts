import { ToolError } from './toolError.ts';

/** Flags that contradict each other, or one that is missing. */
export class UsageError extends ToolError {
  constructor(message: string, hint = 'See gantry --help.') {
    // What was typed is repeated in it, and may be a whole file.
    super({ code: 'cli.usage', message: message.replace(longWord, (word) => `${word.slice(0, longestWord)}…`), hint });
  }
}

const longestWord = 200;
const longWord = new RegExp(`\\S{${longestWord + 1},}`, 'g');
