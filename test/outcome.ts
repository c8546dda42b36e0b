import type { ChildProcess } from 'node:child_process';
import { expect } from 'vitest';

/** The outcome of a command. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The outcome of a command that must exit with 0. */
export async function succeeded<Ended extends Outcome>(command: Promise<Ended>): Promise<Ended> {
  const outcome = await command;
  expect(outcome.code, outcome.stdout + outcome.stderr).toBe(0);
  return outcome;
}

/** Resolves when the process has ended. */
export async function ended(child: ChildProcess): Promise<Outcome> {
  const { code, stdout, stderr } = await endedBy(child);
  return { code, stdout, stderr };
}

/** The same, with the signal that ended it. */
export function endedBy(child: ChildProcess): Promise<Outcome & { readonly signal: NodeJS.Signals | null }> {
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      said[stream] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, ...said }));
  });
}
