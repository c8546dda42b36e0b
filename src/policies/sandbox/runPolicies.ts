import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Position } from '../../manifest/model/manifest.ts';
import { systemReason } from '../../project/files/fileRefusal.ts';
import { bounded } from '../../project/session/bounded.ts';
import type { Interruptible } from '../../project/session/interruptible.ts';
import { workerFile } from '../../sandbox/workerFile.ts';
import type { CustomKinds } from '../../schema/record/customKinds.ts';
import type { Finding } from '../rules/policy.ts';
import type { Rule } from '../rules/rule.ts';
import { endFailure, type PolicyFailure } from './failure.ts';

/** The request to the thread of policies. */
export interface PolicyRequest {
  /** Of policies as code; absolute, in the order in which they are loaded. */
  readonly files: readonly string[];
  readonly rules: readonly Rule[];
  readonly kinds: CustomKinds;
  /** They are not of the project. */
  readonly isImposed: boolean;
  /** Of the project; absolute. */
  readonly folder: string;
  /** In which they may import files; absolute. */
  readonly folders: readonly string[];
  /** For loading one file, and for one policy. */
  readonly timeoutMs: number;
  /** Of all of them, in MiB. */
  readonly memoryMb: number;
  /** The time that their clock shows while they are loaded. */
  readonly nowMs: number;
}

/** The input of policies, as text. */
export interface PolicyInputText {
  /** `PolicyInput` as JSON; sensitive values are masked. */
  readonly text: string;
  /** The time that their clock shows. */
  readonly nowMs: number;
}

/** Its messages meanwhile. */
export type PolicyMessage =
  /** A file is loaded, or a policy is asked. By the clock of `clockMs`. */
  | { readonly doing: Doing; readonly atMs: number }
  /** All of them, when all files are loaded. */
  | { readonly policies: readonly LoadedPolicy[] }
  /** The findings on one input. */
  | { readonly found: readonly Finding[]; readonly of: number }
  | { readonly failed: PolicyFailure }
  /** A line of output. */
  | { readonly written: string }
  /** Digests of all files that were loaded, at the end. */
  | { readonly loaded: readonly string[] }
  | { readonly ended: true };

interface Doing {
  readonly what: string;
  readonly position: Position | undefined;
}

/** A policy that was loaded. */
export interface LoadedPolicy {
  readonly id: string;
  readonly about: string;
  /** Whether it is about plans. */
  readonly isAboutPlans: boolean;
  /** Where the code is that made it; absent for rules, and for those that come along. */
  readonly position?: Position;
  /** The file that exports it; absent likewise. */
  readonly file?: string;
}

/** The answers of the policies. */
export interface PolicyAnswers {
  readonly policies: readonly LoadedPolicy[];
  /** Of each input. */
  readonly findings: readonly (readonly Finding[])[];
  /** Failures: the rest is no whole answer. */
  readonly failures: readonly PolicyFailure[];
  /** Digests of the files that were loaded, packages included. */
  readonly loaded: readonly string[];
}

export interface PolicyRunOptions {
  readonly request: PolicyRequest;
  readonly inputs: readonly PolicyInputText[];
  /** For what policies write, line by line. */
  readonly tell: (line: string) => void;
  readonly interruptible?: Interruptible | undefined;
}

/** A clock that threads share. */
function clockMs(): number {
  return performance.timeOrigin + performance.now();
}

const lookMs = 250;
/** The interpreter ends code itself, but for the few functions of the language that may run long without looking up. */
const graceMs = 1_000;

/** Nesting of calls in the interpreter takes frames of its thread, too: these must not be used up first. */
const stackSizeMb = 16;

/** Runs policies in a thread of their own, which has ended when this returns. */
export async function runPolicies({ request, inputs, tell, interruptible }: PolicyRunOptions): Promise<PolicyAnswers> {
  const findings = inputs.map((): Finding[] => []);
  const failures: PolicyFailure[] = [];
  let policies: readonly LoadedPolicy[] = [];
  let loaded: readonly string[] = [];
  let [doing, sinceMs]: [Doing, number] = [{ what: 'the policies', position: undefined }, clockMs()];
  const isLate = () => clockMs() - sinceMs > request.timeoutMs + graceMs;
  const ended = Promise.withResolvers<void>();
  let isOver = false;
  function end(failure?: PolicyFailure): void {
    if (isOver) return; // a second time would take from `terminate` what it waits for
    isOver = true;
    worker.removeAllListeners();
    if (failure !== undefined) failures.push(failure);
    ended.resolve();
  }
  function endAs(reason: 'time' | 'thrown', message?: string): void {
    end(endFailure(reason, doing, request, message));
  }
  const life = bounded((why) => (why === 'abort' ? void worker.terminate() : endAs('time')), {
    interruptible,
    lookMs,
    // This thread may have been busy itself: what came meanwhile is read first.
    look: async () => (isLate() && (await setImmediate(true)) && isLate() ? 'time' : undefined),
  });
  const worker = new Worker(workerFile('policyWorker', new URL('./worker.ts', import.meta.url)), {
    workerData: { request, inputs },
    env: {},
    resourceLimits: { stackSizeMb },
  });
  worker.on('message', (message: PolicyMessage) => {
    if ('doing' in message) [doing, sinceMs] = [message.doing, message.atMs];
    else if ('policies' in message) policies = message.policies;
    else if ('found' in message) for (const each of message.found) findings[message.of]?.push(each);
    else if ('failed' in message) failures.push(message.failed);
    else if ('written' in message) tell(message.written);
    else if ('loaded' in message) loaded = message.loaded;
    else end();
  });
  worker.on('error', (error) => endAs('thrown', systemReason(error)));
  worker.on('exit', () => endAs('thrown', 'its thread has ended'));
  await ended.promise;
  await worker.terminate();
  await life.end();
  return { policies, findings, failures, loaded };
}
