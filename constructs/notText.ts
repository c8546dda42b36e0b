import { ToolError } from '../src/base/toolError.ts';

/** A reference was put into a text, where only its name, link or address would make sense. */
export function notText(what: string, hint: string): ToolError {
  return new ToolError({ code: 'stack.text', message: `${what} is put into a text`, hint });
}
