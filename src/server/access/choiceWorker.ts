/** Answers questions in a separate thread, which can be terminated at any time. */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import type { Intrinsics } from 'quickjs-emscripten-core';
import { loadEngine, Sandbox } from '../../sandbox/sandbox.ts';
import { type NumberedAnswer, type NumberedQuestion, type Question, readyMessage } from './expression.ts';

const bounds = { memoryBytes: 32 * 1024 * 1024, stackBytes: 256 * 1024 };
/** Limits the calls of `isOver` instead of the time, so that equal questions get equal answers. */
const mostSteps = 2_000;

/** Without a clock, promises or any access to the outside. */
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

const choose = await openChoices();
parentPort?.on('message', ({ id, ...question }: NumberedQuestion) => {
  const answered: NumberedAnswer = { id, chosen: choose(question) };
  parentPort?.postMessage(answered);
});
parentPort?.postMessage(readyMessage);

/**
 * Whether the expression chooses the record. Never throws: an expression that fails or needs too much chooses nothing.
 */
type Choose = (question: Question) => boolean;

/**
 * Answers questions in sandboxes. JMESPath also runs inside one, because its expressions can grow without limit too.
 */
async function openChoices(): Promise<Choose> {
  const [engine, jmespath] = await Promise.all([loadEngine(), readFile(jmespathFile(), 'utf8')]);
  return ({ language, expression, record }) => {
    let [steps, most] = [0, Number.POSITIVE_INFINITY];
    const sandbox = new Sandbox(engine, { ...bounds, intrinsics, isOver: () => ++steps > most });
    try {
      if (language === 'jmespath') sandbox.run(moduleOf(jmespath));
      [steps, most] = [0, mostSteps];
      const script = language === 'jmespath' ? queryOf(expression, record) : scriptOf(expression, record);
      return sandbox.run(script) === true;
    } catch {
      return false;
    } finally {
      sandbox.close();
    }
  };
}

/** The file beside the bundle, where scripts/build.ts copies it, or the one in the package. */
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

/** Evaluates the expression with the record as `$`; the result is the value of its last statement. */
function scriptOf(expression: string, record: string): string {
  return `delete Math.random; globalThis.$ = JSON.parse(${quoted(record)}); Boolean((0, eval)(${quoted(expression)}))`;
}

/** The text as a string literal of a script. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
