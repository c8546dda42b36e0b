import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Position } from '../../manifest/model/manifest.ts';
import { systemReason } from '../../project/files/fileRefusal.ts';
import { startBounds } from '../../project/session/bounded.ts';
import type { Interruptible } from '../../project/session/interruptible.ts';
import { workerFile } from '../../sandbox/workerFile.ts';
import type { CustomKinds } from '../../schema/record/customKinds.ts';
import type { Finding } from '../rules/policy.ts';
import type { Rule } from '../rules/rule.ts';
import { endFailure, type PolicyFailure } from './failure.ts';

export interface PolicyRequest {
  /** Files with policies as code; absolute, in the order in which they are loaded. */
  readonly files: readonly string[];
  readonly rules: readonly Rule[];
  readonly kinds: CustomKinds;
  /** True if they do not belong to the project. */
  readonly isImposed: boolean;
  /** The project's folder; absolute. */
  readonly folder: string;
  /** Folders whose files may be imported; absolute. */
  readonly folders: readonly string[];
  /** For loading one file, and for one policy. */
  readonly timeoutMs: number;
  /** For all of them, in MiB. */
  readonly memoryMb: number;
  /** The time of their clock during loading. */
  readonly nowMs: number;
}

/** The input of policies, as text. */
export interface PolicyInputText {
  /** `PolicyInput` as JSON; sensitive values are masked. */
  readonly text: string;
  /** The time of their clock. */
  readonly nowMs: number;
}

/** The thread's messages while it runs. */
export type PolicyMessage =
  /** A file is being loaded, or a policy run. By the clock of `clockMs`. */
  | { readonly doing: Doing; readonly atMs: number }
  /** All of them, after all files were loaded. */
  | { readonly policies: readonly LoadedPolicy[] }
  /** The findings on one input. */
  | { readonly found: readonly Finding[]; readonly of: number }
  | { readonly failed: PolicyFailure }
  /** A line of output. */
  | { readonly written: string }
  /** Digests of all loaded files, at the end. */
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
  readonly isAboutPlans: boolean;
  /** The position of the code that created it; absent for rules and bundled policies. */
  readonly position?: Position;
  /** The file that exports it; absent in the same cases. */
  readonly file?: string;
}

/** The answers of the policies. */
export interface PolicyAnswers {
  readonly policies: readonly LoadedPolicy[];
  /** Per input. */
  readonly findings: readonly (readonly Finding[])[];
  /** If there are failures, the answers are incomplete. */
  readonly failures: readonly PolicyFailure[];
  /** Digests of the loaded files, packages included. */
  readonly loaded: readonly string[];
}

export interface PolicyRunOptions {
  readonly request: PolicyRequest;
  readonly inputs: readonly PolicyInputText[];
  /** Receives the output of policies, line by line. */
  readonly tell: (line: string) => void;
  readonly interruptible?: Interruptible | undefined;
}

/** A clock that is shared by threads. */
function clockMs(): number {
  return performance.timeOrigin + performance.now();
}

const lookMs = 250;
/** The interpreter interrupts code itself, except in the few language functions that may run long without a check. */
const graceMs = 1_000;

/** Nested calls in the interpreter also use its thread's stack, which must not be exhausted first. */
const stackSizeMb = 16;

/** Runs policies in a separate thread, which has ended when this returns. */
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
    if (isOver) return; // a second call would remove the listener that `terminate` needs
    isOver = true;
    worker.removeAllListeners();
    if (failure !== undefined) failures.push(failure);
    ended.resolve();
  }
  function endAs(reason: 'time' | 'thrown', message?: string): void {
    end(endFailure(reason, doing, request, message));
  }
  const life = startBounds((why) => (why === 'abort' ? void worker.terminate() : endAs('time')), {
    interruptible,
    checkIntervalMs: lookMs,
    // This thread may have been busy itself, so pending messages are read first.
    checkLimits: async () => (isLate() && (await setImmediate(true)) && isLate() ? 'time' : undefined),
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
