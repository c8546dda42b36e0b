import { Readable } from 'node:stream';
import type { Finding } from '../../policies/model/finding.ts';
import { systemReason } from '../files/fileRefusal.ts';
import { type Interruptible, uninterrupted } from '../session/interruptible.ts';
import { eachLine } from '../stack/eachLine.ts';
import { endWithProcess } from '../stack/endWithProcess.ts';
import type { PolicyProcess } from './policyProcess.ts';
import { readPolicyLine } from './readPolicyLine.ts';
import {
  type InputLine,
  type LoadedPolicy,
  lineDescriptor,
  mostOutput,
  mostSaid,
  type PolicyFailure,
  type PolicyRequest,
} from './request.ts';

/** What the policies said. */
export interface PolicyAnswers {
  readonly policies: readonly LoadedPolicy[];
  /** Of each input. */
  readonly findings: readonly (readonly Finding[])[];
  /** What speaks against taking the rest for an answer. */
  readonly failures: readonly PolicyFailure[];
}

export interface PolicyRunOptions {
  readonly request: PolicyRequest;
  readonly inputs: readonly InputLine[];
  /** For what policies write, line by line. */
  readonly tell: (line: string) => void;
  readonly interruptible?: Interruptible | undefined;
}

/** Characters of a line of output. */
const longestLine = 8_192;

/** Gives a process its policies to run, and waits for its end; it has ended when this returns. */
export async function runPolicies(
  child: PolicyProcess,
  { request, inputs, tell, interruptible = uninterrupted }: PolicyRunOptions,
): Promise<PolicyAnswers> {
  const kill = () => void child.kill('SIGKILL');
  const interruption = interruptible(kill);
  process.on('SIGUSR1', noDebugger);
  const release = endWithProcess(child);
  const said = new Said(request.endMark, inputs.length);
  let written = 0;
  const ended = new Promise<PolicyFailure | undefined>((resolve) => {
    child.once('exit', (code, signal) => resolve(untimely(code, signal)));
    child.once('error', (error) => resolve(notStarted(error)));
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  const rests = [child.stdout, child.stderr].map((stream) => {
    stream.on('data', (chunk: string) => {
      written += chunk.length;
      if (written > mostOutput * 2) kill(); // past the thread that is watched: straight to the descriptor
    });
    return eachLine(stream, longestLine, tell);
  });
  const channel = child.stdio[lineDescriptor];
  if (channel instanceof Readable) {
    said.onOver = () => {
      kill();
      channel.destroy();
    };
    channel.on('data', (chunk: string) => said.count(chunk));
    eachLine(channel, mostSaid, (line) => said.take(line));
  }
  child.stdin.end([JSON.stringify(request), ...inputs].join('\n'));

  const untimelyEnd = await ended;
  release();
  process.off('SIGUSR1', noDebugger);
  await interruption.end();
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 1_000).unref())]);
  for (const stream of child.stdio) stream?.destroy();
  for (const flush of rests) flush();
  const isTold = said.isWhole || said.isOver || untimelyEnd === undefined;
  const failures = isTold ? said.failures : [...said.failures, untimelyEnd];
  return { policies: said.policies, findings: said.findings, failures };
}

/** A policy may send signals: this one would open the debugger of this process, and with it everything, to anybody. */
function noDebugger(): void {}

class Said {
  policies: readonly LoadedPolicy[] = [];
  readonly findings: readonly Finding[][];
  readonly failures: PolicyFailure[] = [];
  isWhole = false;
  /** Nothing more is listened to. */
  isOver = false;
  onOver: () => void = () => {};
  #characters = 0;
  readonly #endMark: string;

  constructor(endMark: string, inputs: number) {
    this.#endMark = endMark;
    this.findings = Array.from({ length: inputs }, () => []);
  }

  count(text: string): void {
    this.#characters += text.length;
    if (this.#characters > mostSaid) this.#end(tooMuch());
  }

  take(text: string): void {
    if (this.isOver) return;
    const line = readPolicyLine(text);
    if (line === undefined) this.#end(garbled());
    else if ('policies' in line) this.policies = line.policies;
    else if ('found' in line) this.findings[line.of]?.push(...line.found);
    else if ('failed' in line) this.failures.push(line.failed);
    else if ('end' in line) this.isWhole ||= line.end === this.#endMark;
  }

  #end(failure: PolicyFailure): void {
    if (this.isOver) return;
    this.isOver = true;
    this.failures.push(failure);
    this.onOver();
  }
}

function tooMuch(): PolicyFailure {
  const message = `the policies handed over more than ${mostSaid / 2 ** 20} MiB, and were ended`;
  return { code: 'policies.output', message, hint: 'Return fewer problems; leave file descriptor 3 alone.' };
}

function garbled(): PolicyFailure {
  const message = 'a policy wrote into the channel on which problems are handed over';
  return { code: 'policies.ended', message, hint: 'Leave file descriptor 3 alone.' };
}

function untimely(code: number | null, signal: string | null): PolicyFailure {
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  const message = `the process of the policies ended ${how} before they had answered`;
  return { code: 'policies.ended', message, hint: 'Policies look at what they are given, and return problems.' };
}

function notStarted(error: Error): PolicyFailure {
  const message = `the process of the policies cannot be started: ${systemReason(error)}`;
  return { code: 'policies.start', message, hint: 'Free memory or processes, and try again.' };
}
