import { fileURLToPath } from 'node:url';
import type { Position } from '../../manifest/model/manifest.ts';
import type { Failure, Mistake } from './mistake.ts';

/** Before the message and the frames, which may be long. */
const mostLines = 8;

const removed = 'Node only removes types, and this is code.';

/** Syntax of TypeScript that is more than types, by what Node calls it. */
const fixes: readonly (readonly [RegExp, string])[] = [
  [/\benum\b/, "Write an object in place of the enum: const Size = { small: 'small' } as const."],
  [/\bparameter property\b/, 'Declare the field, and assign it in the constructor.'],
  [/\bnamespace\b|\bmodule\b/, 'Write a module of its own in place of the namespace.'],
  [/\bimport equals\b/, "Write `import x from '…'` in place of import x = require('…')."],
  [/\bexport assignment\b|\bexport =/, 'Write `export default x` in place of `export = x`.'],
  [/\bangle-bracket\b/, 'Write `value as T` in place of `<T>value`.'],
];

/** Syntax that Node cannot run, and imports of what a module does not export. */
export function syntaxMistake({ code, message, stack }: Failure): Mistake | undefined {
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') {
    const [, fix = 'Use TypeScript that only needs its types removed.'] =
      fixes.find(([pattern]) => pattern.test(message)) ?? [];
    return { ...placed(stack), hint: `${fix} ${removed}` };
  }
  const [, module = '', name = ''] =
    /^The requested module '(.*)' does not provide an export named '([\w$]+)'$/.exec(message) ?? [];
  if (name === '') return undefined;
  const hint = `Correct the name; or if it is a type, write \`import { type ${name} }\`.`;
  return { ...placed(stack), message: `SyntaxError: ${module} exports no ${name}`, hint };
}

/** A syntax error begins with `file:///stack.ts:3` or a path; then come lines of code, and marks below the mistake. */
function placed(stack: string): { readonly position?: Position } {
  const [first = '', ...lines] = stack.split('\n', mostLines);
  const [, place = '', line] = /^(file:\/\/.+|\/.+|[A-Za-z]:\\.+):(\d+)$/.exec(first) ?? [];
  if (place === '') return {};
  const file = place.startsWith('file:') ? fileURLToPath(place) : place;
  const marks = lines.find((each) => /^\s*\^+$/.test(each)) ?? '^';
  return { position: { file, line: Number(line), column: marks.indexOf('^') + 1 } };
}
