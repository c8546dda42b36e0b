/** The thread that runs policies in a sandbox, one after the other. It reports its progress and the results. */

import { randomUUID } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { isArray, isObject, type JsonObject } from '../../base/json/json.ts';
import { compareText } from '../../base/text/compareText.ts';
import type { Position } from '../../manifest/model/manifest.ts';
import { splitLine } from '../../project/session/bounded.ts';
import { SandboxFailure } from '../../sandbox/failure.ts';
import { boundedMemory, loadEngine, Sandbox, type SandboxFunction } from '../../sandbox/sandbox.ts';
import { declarableKinds } from '../../schema/record/kinds.ts';
import type { HeldPolicy, ThrownInSandbox } from '../rules/inSandbox.ts';
import { type Finding, isPolicyId } from '../rules/policy.ts';
import {
  answerFailure,
  endFailure,
  loadFailure,
  mostOutput,
  noPolicy,
  type PolicyFailure,
  placeOf,
  twiceFailure,
  type Unanswered,
  unknownKind,
} from './failure.ts';
import { loaderName, PolicyModules, policyEntry, programName, rulesName } from './modules.ts';
import type { PolicyInputText, PolicyMessage, PolicyRequest } from './runPolicies.ts';

const { request, inputs }: { readonly request: PolicyRequest; readonly inputs: readonly PolicyInputText[] } =
  workerData;

// The interpreter uses the clock of its thread. It is fixed, in UTC: an answer depends only on its input.
let clockMs = request.nowMs;
Date.now = () => clockMs;
Date.prototype.getTimezoneOffset = () => 0;
process.emitWarning = () => undefined; // the warning that removing types is experimental

const stackBytes = 512 * 1024;

/** Removes functions that would make an answer random, and adds those that the interpreter lacks. */
const realm = `(write) => {
  const shown = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return value.name + ': ' + value.message;
    try { return JSON.stringify(value) ?? String(value); } catch { return String(value); }
  };
  const log = (...values) => write(values.map(shown).join(' '));
  globalThis.console = { log, info: log, warn: log, error: log, debug: log };
  Math.random = () => { throw new TypeError('Math.random is not there: what a policy answers depends on nothing but its input'); };
  Error.captureStackTrace = (target) => { target.stack = new Error().stack; };
}`;

/** Our functions in the sandbox. `required` contains modules of CommonJS, which run when they are read. */
const loader = `import * as entry from '${policyEntry}';
import { hold, refuse, take } from '${programName}';
export { ask, give } from '${programName}';
export const rules = (request) => import('${rulesName}').then(({ policiesOfRules }) => hold(policiesOfRules(request)));
export const load = (file) => import(file).then(take).catch(refuse);
export const required = new Map();
let host;
export function begins(resolve, compile) { host = { resolve, compile }; }
export function requireNow(name) { return JSON.stringify(Object.keys(requireAs(name) ?? {})); }
function requireAs(name) {
  if (name === '${policyEntry}') return entry;
  const known = required.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  required.set(name, module);
  const { compile, resolve } = host;
  compile(name)(module, module.exports, (specifier) => requireAs(resolve(name, specifier)));
  return module.exports;
}`;
/** Only the text of such a module imports the loader, by this name. */
const requiredName = `gantry:required:${randomUUID()}`;

/** The running policy, its start, and the length of its output. */
const doing: { what: string; position: Position | undefined; sinceMs: number; written: number } = {
  what: 'the policies',
  position: undefined,
  sinceMs: performance.now(),
  written: 0,
};

const modules = new PolicyModules(request.folder, request.folders);
const memory = boundedMemory(request.memoryMb);
const sandbox = new Sandbox(await loadEngine(memory), {
  stackBytes,
  isOver: () => doing.written > mostOutput || performance.now() - doing.sinceMs > request.timeoutMs,
  modules: {
    resolve: (importer, specifier) => (specifier === requiredName ? loaderName : modules.resolve(importer, specifier)),
    read: (name) => (modules.isCommonJs(name) ? commonJs(name) : modules.read(name)),
  },
});
begin('the policies', undefined);
sandbox.call(sandbox.functionOf(realm, 'gantry:realm'), sandbox.provide(write));
const ours = sandbox.functionsOf(loader, loaderName);
const called = (name: string, ...texts: readonly (string | number | SandboxFunction)[]) =>
  sandbox.call(ours(name), ...texts);
called(
  'begins',
  sandbox.provide((importer, specifier) => modules.resolve(importer, specifier, 'require')),
  sandbox.provide(compiled),
);

try {
  askAll(loadAll());
} catch (error) {
  say({ failed: endOf(error) });
}
say({ loaded: modules.digests });
say({ ended: true });

interface LoadedPolicy extends Omit<HeldPolicy, 'position'> {
  readonly file?: string;
  readonly position?: Position;
}

/** A policy about a kind that does not exist would never run. An imposed one may be about kinds of other projects. */
function failUnknown(id: string, about: readonly string[], position: Position | undefined): void {
  const known = [...declarableKinds(), ...Object.keys(request.kinds)];
  const unknown = about.find((kind) => !known.includes(kind));
  if (unknown !== undefined) fail(unknownKind(id, unknown, { known, position }));
}

/** All policies, each id once, ordered by id; loading errors are reported. */
function loadAll(): readonly LoadedPolicy[] {
  const { rules, kinds } = request;
  const all = rules.length === 0 ? [] : taken(called('rules', JSON.stringify({ rules, kinds })), undefined);
  for (const file of request.files) {
    begin('the file', { file, line: 1, column: 1 });
    unlessPending(() => void all.push(...taken(called('load', file), file)));
  }
  all.sort((a, b) => compareText(a.id, b.id));
  const unique = all.filter(({ id }, index) => id !== all[index - 1]?.id);
  for (const policy of all) if (!unique.includes(policy)) fail(twiceFailure(policy.id, policy.position));
  if (!request.isImposed) for (const { id, kinds: about, position } of all) failUnknown(id, about, position);
  say({ policies: unique });
  return unique;
}

function askAll(policies: readonly LoadedPolicy[]): void {
  for (const [of, { text, nowMs }] of inputs.entries()) {
    clockMs = nowMs;
    begin('the policies', undefined);
    called('give', text);
    for (const { id, index, position } of policies) {
      begin(`the policy ${id}`, position);
      unlessPending(() => {
        const answer = parsed(called('ask', index));
        const found = findingsOf(answer, id);
        if (found !== undefined) say({ found, of });
        else fail(answerFailure(id, unansweredIn(answer), position));
      });
    }
  }
}

/** A policy that awaits a promise that never settles, or writes too much, does not prevent other answers. */
function unlessPending(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof SandboxFailure) || (error.reason !== 'pending' && error.reason !== 'size')) throw error;
    fail(endOf(error));
  }
}

function begin(what: string, position: Position | undefined): void {
  Object.assign(doing, { what, position, sinceMs: performance.now() });
  say({ doing: { what, position }, atMs: performance.timeOrigin + doing.sinceMs });
}

/** The policies of a file, or of the rules. */
function taken(text: unknown, file: string | undefined): LoadedPolicy[] {
  const { policies, thrown } = parsed(text);
  if (file !== undefined && isThrown(thrown)) {
    fail(loadFailure(refused(thrown), placeIn(file, thrown), modules.refusalOf(thrown.message) !== undefined));
    return [];
  }
  const held: readonly unknown[] = isArray(policies) ? policies : [undefined];
  if (!held.every(isHeld)) throw new SandboxFailure('thrown', 'what it says of its policies is unreadable');
  if (file === undefined) return held.map(({ position: _, ...policy }) => policy);
  if (held.length === 0) fail(noPolicy(file));
  const start = { file, line: 1, column: 1 };
  return held.map((policy) => ({ ...policy, file, position: exact(policy.position) ?? start }));
}

/** The position of an error: the refused import, the line that threw, or the file. */
function placeIn(file: string, thrown: ThrownInSandbox): Position {
  const refusal = modules.refusalOf(thrown.message);
  return exact(refusal?.position) ?? exact(placeOf(thrown)) ?? { file, line: 1, column: 1 };
}

/**
 * With the hint of the refusal, of which the interpreter only passes on the message. Errors: out of memory; null is
 * thrown if there is no memory for an error either.
 */
function refused(thrown: ThrownInSandbox): ThrownInSandbox {
  const isFull = memory.buffer.byteLength > (request.memoryMb * 2 ** 20) / 2;
  if (isFull && (thrown.value === 'null' || thrown.message === 'out of memory')) throw new SandboxFailure('memory');
  const hint = modules.refusalOf(thrown.message)?.hint;
  return hint === undefined ? thrown : { ...thrown, hint };
}

/** The interpreter reports the bracket of a call; users, and Node, expect the name before it. */
function exact(position: Position | undefined): Position | undefined {
  if (position === undefined || !modules.isLoaded(position.file)) return undefined;
  const line = modules.text(position.file).split('\n')[position.line - 1] ?? '';
  const before = line.slice(0, position.column - 1);
  const name = line[position.column - 1] === '(' ? (/(?:\bnew\s+[\w$.]+|[\w$]+)$/.exec(before)?.[0] ?? '') : '';
  return { ...position, file: modules.asGiven(position.file), column: position.column - name.length };
}

/** The module of a CommonJS file: it runs immediately, so that its exported names are known. */
function commonJs(name: string): string {
  const names = JSON.parse(String(called('requireNow', name)));
  const exports = isArray(names)
    ? names.filter((each) => typeof each === 'string' && /^[A-Za-z_$][\w$]*$/.test(each))
    : [];
  const named = exports.filter((each) => each !== 'default');
  return `import { required } from '${requiredName}';
const exports = required.get(${JSON.stringify(name)}).exports;
export default exports;
${named.map((each, index) => `const _${index} = exports.${each}; export { _${index} as ${each} };`).join('\n')}`;
}

/** The function around a CommonJS module; in one line, so that line numbers do not change. */
function compiled(name: string): SandboxFunction {
  const body = name.endsWith('.json')
    ? `module.exports = JSON.parse(${JSON.stringify(modules.json(name))});`
    : modules.code(name);
  return sandbox.functionOf(`(function (module, exports, require) {${body}\n})`, name);
}

/** Text of \`console\`, line by line. */
function write(text: string): undefined {
  doing.written += text.length + 1;
  if (doing.written > mostOutput) return;
  for (const line of text.split('\n')) for (const written of splitLine(line)) say({ written });
}

function endOf(error: unknown): PolicyFailure {
  const reason = error instanceof SandboxFailure ? error.reason : 'thrown';
  const excess = doing.written > mostOutput ? 'output' : 'time';
  const message = error instanceof Error ? error.message : '';
  return endFailure(reason === 'over' ? excess : reason, doing, request, message);
}

function fail(failure: PolicyFailure): void {
  say({ failed: { ...failure, position: exact(failure.position) ?? failure.position } });
}

function say(message: PolicyMessage): void {
  parentPort?.postMessage(message);
}

function parsed(text: unknown): JsonObject {
  const value: unknown = typeof text === 'string' ? JSON.parse(text) : undefined;
  return isObject(value) ? value : {};
}

// Code in the sandbox may have changed what the program there relies on, so every part of an answer is checked.

function findingsOf(answer: JsonObject, policy: string): readonly Finding[] | undefined {
  const found: unknown = answer['found'];
  return Array.isArray(found) && found.every(isFinding) ? found.map((each) => ({ ...each, policy })) : undefined;
}

function unansweredIn({ failed, resource, thrown }: JsonObject): Unanswered {
  return {
    failed: typeof failed === 'string' ? failed : 'what it returned is unreadable',
    ...(typeof resource === 'string' ? { resource } : {}),
    ...(isThrown(thrown) ? { thrown: refused(thrown) } : {}),
  };
}

function isFinding(value: unknown): value is Finding {
  if (!isObject(value) || (value['severity'] !== 'error' && value['severity'] !== 'warning')) return false;
  return hasTexts(value, ['message'], ['fix', 'path', 'resource']);
}

function isHeld(value: unknown): value is HeldPolicy {
  if (!isObject(value) || typeof value['index'] !== 'number' || typeof value['isAboutPlans'] !== 'boolean')
    return false;
  const { position } = value;
  if (!isObject(position) || typeof position['line'] !== 'number' || typeof position['column'] !== 'number')
    return false;
  return hasTexts(position, ['file'], []) && isPolicyId(value['id']) && hasTexts(value, ['about'], []);
}

function isThrown(value: unknown): value is ThrownInSandbox {
  if (!isObject(value) || typeof value['isError'] !== 'boolean') return false;
  return hasTexts(value, ['name', 'message', 'stack', 'frames', 'value'], ['code', 'hint']);
}

function hasTexts(value: JsonObject, required: readonly string[], optional: readonly string[]): boolean {
  const isText = (key: string) => typeof value[key] === 'string';
  return required.every(isText) && optional.every((key) => value[key] === undefined || isText(key));
}
