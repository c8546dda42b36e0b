import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Intrinsics, QuickJSContext } from 'quickjs-emscripten-core';
import type { Question } from './expression.ts';

/**
 * Does the expression choose the record? Never throws: an expression that fails, or needs too much, chooses nothing.
 */
export type Choose = (question: Question) => boolean;

const memoryBytes = 32 * 1024 * 1024;
const stackBytes = 256 * 1024;
/**
 * QuickJS calls the interrupt handler some hundred times in 10 ms. Calls are counted instead of measuring time, so that
 * equal questions get equal answers.
 */
const mostSteps = 2_000;

/** Without clock, promises or any access to the outside. */
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
 * A sandbox for expressions: an interpreter in WebAssembly without access to this process, with limits on memory, stack
 * and steps. JMESPath runs inside it as well, as its expressions can also grow without limit.
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

/** The file beside the bundle (scripts/build.ts copies it there), or that of the package. */
function jmespathFile(): string {
  const beside = fileURLToPath(new URL('./jmespath.cjs', import.meta.url));
  return existsSync(beside) ? beside : createRequire(import.meta.url).resolve('@jmespath-community/jmespath');
}

/** Wraps a CommonJS module as a script. */
function moduleOf(source: string): string {
  const wrapped = `(function (module, exports) {${source}\n})(module, module.exports)`;
  return `globalThis.module = { exports: {} }; ${wrapped}; true`;
}

/** JMESPath truth: false, null and empty values are false. */
function queryOf(expression: string, record: string): string {
  const found = `module.exports.search(JSON.parse(${quoted(record)}), ${quoted(expression)})`;
  return `(function (found) {
    if (found === null || found === undefined || found === false || found === '') return false;
    return typeof found !== 'object' || Object.keys(found).length > 0;
  })(${found})`;
}

/** The record is \`$\`; the result is the value of the last statement. */
function scriptOf(expression: string, record: string): string {
  return `delete Math.random; globalThis.$ = JSON.parse(${quoted(record)}); Boolean((0, eval)(${quoted(expression)}))`;
}

/** As a string literal of a script. */
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
