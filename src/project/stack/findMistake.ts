import { importMistake } from './importMistake.ts';
import type { Failure, Mistake } from './mistake.ts';
import { syntaxMistake } from './syntaxMistake.ts';

/** The mistake behind what Node says, if it is a usual one. `stackFile`: the path of the stack. */
export function findMistake(failure: Failure, stackFile: string): Mistake | undefined {
  return importMistake(failure, stackFile) ?? syntaxMistake(failure) ?? scopeMistake(failure);
}

const ofCommonJs: Readonly<Record<string, string>> = {
  require: "Write `import … from '…'` in place of require(): this file is an ES module.",
  module: 'Write `export default …` in place of module.exports: this file is an ES module.',
  exports: 'Write `export …` in place of exports: this file is an ES module.',
  __dirname: 'Write import.meta.dirname in place of __dirname: this file is an ES module.',
  __filename: 'Write import.meta.filename in place of __filename: this file is an ES module.',
};

/** The mistake of using names that only CommonJS files have. */
function scopeMistake({ name, message }: Failure): Mistake | undefined {
  const [, word = ''] = /^(\w+) is not defined in ES module scope/.exec(message) ?? [];
  const hint = name === 'ReferenceError' && Object.hasOwn(ofCommonJs, word) ? ofCommonJs[word] : undefined;
  return hint === undefined ? undefined : { message: `ReferenceError: ${word} is not defined`, hint };
}
