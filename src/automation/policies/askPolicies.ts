import module from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Policy, policyMark } from '../../policies/model/policy.ts';
import { policyOfRule } from '../../policies/run/knownPolicies.ts';
import { freeze, type PolicyInput, runPolicy } from '../../policies/run/runPolicy.ts';
import { defineCustomKinds } from '../../schema/record/customKinds.ts';
import { compareText } from '../../schema/text/compareText.ts';
import { loadAsModules } from '../stack/asModules.ts';
import { memberOf } from '../stack/thrown.ts';
import { answerFailure, exitFailure, loadFailure, lostFailure, twiceFailure } from './failure.ts';
import { type InputLine, type LoadedPolicy, mostOutput, type PolicyLine, type PolicyRequest } from './request.ts';

type Say = (line: PolicyLine) => void;

/** Loads the policies, and those that are rules, and asks them one after the other, in the order of their ids. */
export async function askPolicies(request: PolicyRequest, inputs: readonly InputLine[], say: Say): Promise<void> {
  const { files, rules, kinds } = request;
  defineCustomKinds(kinds);
  standIn();
  process.exit = (code) => halt(say, { stopped: exitFailure(code) });
  for (const stream of [process.stdout, process.stderr]) bound(stream, () => halt(say, { tooMuch: true }));
  let asked: LoadedPolicy | undefined;
  const lost = (error: unknown) => say({ failed: lostFailure(asked?.id, error, asked?.position) });
  process.on('unhandledRejection', lost);
  process.on('uncaughtException', lost);
  const { emitWarning } = process;
  process.emitWarning = () => undefined; // that removing types is experimental
  const made = new Map<Policy, string>();
  for (const file of files) {
    say({ loading: file });
    try {
      loadAsModules(file);
      for (const policy of policiesOf(await import(pathToFileURL(file).href))) made.set(policy, file);
      if (![...made.values()].includes(file)) say(noPolicy(file));
    } catch (error) {
      say({ failed: loadFailure(error, file) });
    }
  }
  process.emitWarning = emitWarning;
  const all = [...rules.map(policyOfRule), ...made.keys()].toSorted((a, b) => compareText(a.id, b.id));
  const unique = all.filter((policy, index) => policy.id !== all[index - 1]?.id);
  for (const policy of all) if (!unique.includes(policy)) say({ failed: twiceFailure(policy.id, policy.position()) });
  const loaded = new Map(unique.map((policy) => [policy, loadedOf(policy, made.get(policy))]));
  say({ policies: [...loaded.values()] });

  for (const [of, text] of inputs.entries()) {
    const input: PolicyInput = JSON.parse(text);
    freeze(input);
    for (const [policy, about] of loaded) {
      asked = about;
      say({ asked });
      try {
        say({ found: await runPolicy(policy, input), of });
      } catch (error) {
        say({ failed: answerFailure(policy.id, error, asked.position) });
      }
      await setImmediate(); // rejections without a handler are told after the present turn
    }
  }
  say({ end: '' });
}

/** Waits for the end, which the other thread makes: what was said before has come through then. */
function halt(say: Say, line: PolicyLine): never {
  say(line);
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** What is written waits in memory until this thread has a moment: a policy that never stops would fill it. */
function bound(stream: NodeJS.WriteStream, onTooMuch: () => never): void {
  const write = stream.write.bind(stream);
  let written = 0;
  stream.write = (chunk: Uint8Array | string) => {
    written += chunk.length;
    if (written <= mostOutput) return write(chunk);
    return onTooMuch();
  };
}

/** Those that a module exports, alone or in lists, made by this copy of the package or by another one. */
function policiesOf(exported: unknown): readonly Policy[] {
  const values = typeof exported === 'object' && exported !== null ? Object.values(exported) : [];
  return [...new Set(values.flat().filter(isPolicy))];
}

function isPolicy(value: unknown): value is Policy {
  return memberOf(value, policyMark) === true;
}

function loadedOf(policy: Policy, file: string | undefined): LoadedPolicy {
  const { id, about, plan } = policy;
  const code = file === undefined ? {} : { file, position: policy.position() };
  return { id, about, isAboutPlans: plan !== undefined, ...code };
}

function noPolicy(file: string): PolicyLine {
  const position = { file, line: 1, column: 1 };
  const hint = "Export what policy() of 'gantry/policies' makes; put what policies share into a folder below.";
  return { failed: { code: 'policies.none', message: 'the file exports no policy', hint, position } };
}

/** Where the project has no `node_modules` with this package, as one of YAML alone, this copy serves. */
function standIn(): void {
  const own = ['../../policies.ts', './policies.js'].map((name) => new URL(name, import.meta.url).href);
  const [source, built] = own;
  const copy = import.meta.url.endsWith('.ts') ? source : built;
  module.registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== 'gantry/policies') return next(specifier, context);
      try {
        return next(specifier, context);
      } catch {
        return { url: copy ?? '', shortCircuit: true };
      }
    },
  });
}
