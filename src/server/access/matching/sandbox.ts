import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Intrinsics, QuickJSContext } from 'quickjs-emscripten-core';
import type { Question } from './expression.ts';

/** Whether an expression chooses a record. Never throws: what fails, or takes too much, chooses nothing. */
export type Choose = (question: Question) => boolean;

const memoryBytes = 32 * 1024 * 1024;
const stackBytes = 256 * 1024;
/**
 * QuickJS asks some hundred times in 10 ms whether to go on. Counted and not timed, so that equal questions get equal
 * answers.
 */
const mostSteps = 2_000;

/** No clock, no promises, nothing to reach the outside with. */
const intrinsics: Intrinsics = {
  BaseObjects: true,
  Date: false,
  Eval: true,
  StringNormalize: true,
  RegExp: true,
  RegExpCompiler: true,
  JSON: true,
  Proxy: false,
  MapSet: true,
  TypedArrays: false,
  Promise: false,
};

/**
 * A sandbox for expressions: an interpreter of its own in WebAssembly, which has no way to this process, with bounds to
 * its memory, stack and steps. JMESPath runs inside it too: its expressions can grow without bounds as well.
 */
export async function openSandbox(): Promise<Choose> {
  const [{ newQuickJSWASMModuleFromVariant }, jmespath] = await Promise.all([
    import('quickjs-emscripten-core'),
    readFile(jmespathFile(), 'utf8'),
  ]);
  const engine = await newQuickJSWASMModuleFromVariant(import('@jitl/quickjs-wasmfile-release-sync'));
  return ({ language, expression, record }) => {
    const runtime = engine.newRuntime({ memoryLimitBytes: memoryBytes, maxStackSizeBytes: stackBytes });
    const context = runtime.newContext({ intrinsics });
    try {
      if (language === 'jmespath') run(context, moduleOf(jmespath));
      let steps = 0;
      runtime.setInterruptHandler(() => ++steps > mostSteps);
      return run(context, language === 'jmespath' ? queryOf(expression, record) : scriptOf(expression, record));
    } catch {
      return false;
    } finally {
      context.dispose();
      runtime.dispose();
    }
  };
}

/** Beside the bundle (scripts/build.ts copies it there), or the package. */
function jmespathFile(): string {
  const beside = fileURLToPath(new URL('./jmespath.cjs', import.meta.url));
  return existsSync(beside) ? beside : createRequire(import.meta.url).resolve('@jmespath-community/jmespath');
}

/** A CommonJS module as a script. */
function moduleOf(source: string): string {
  return `globalThis.module = { exports: {} }; (function (module, exports) {${source}\n})(module, module.exports); true`;
}

/** True by the rules of JMESPath: false, null and whatever is empty are not. */
function queryOf(expression: string, record: string): string {
  const found = `module.exports.search(JSON.parse(${quoted(record)}), ${quoted(expression)})`;
  return `(function (found) {
    if (found === null || found === undefined || found === false || found === '') return false;
    return typeof found !== 'object' || Object.keys(found).length > 0;
  })(${found})`;
}

/** The record is \`$\`; the value of the last statement counts. */
function scriptOf(expression: string, record: string): string {
  return `delete Math.random; globalThis.$ = JSON.parse(${quoted(record)}); Boolean((0, eval)(${quoted(expression)}))`;
}

/** As text of a script. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

function run(context: QuickJSContext, code: string): boolean {
  const result = context.evalCode(code);
  if (result.error !== undefined) {
    result.error.dispose();
    return false;
  }
  const chosen = context.typeof(result.value) === 'boolean' && context.dump(result.value) === true;
  result.value.dispose();
  return chosen;
}
