import type { early, edited } from './request.ts';
import { type StackHost, type StackProcess, startStackProcess } from './stackProcess.ts';

let earlyProcess: { readonly process: StackProcess; readonly host: StackHost } | undefined;

/**
 * Starts the process of a stack while everything else is still loading. If unused, it costs some processor time: it
 * waits for a request, and ends with this process.
 */
export function startEarly(host: StackHost, when: typeof early | typeof edited): void {
  earlyProcess = { process: startStackProcess(host, when), host };
}

/** The process started early, or a new one. */
export function takeStackProcess(host: StackHost): StackProcess {
  const taken = earlyProcess;
  if (taken === undefined || host.cwd !== taken.host.cwd || host.environment !== taken.host.environment) {
    return startStackProcess(host, 'now');
  }
  earlyProcess = undefined;
  const { pid, exitCode, signalCode } = taken.process;
  const alive = pid !== undefined && exitCode === null && signalCode === null;
  return alive ? taken.process : startStackProcess(host, 'now');
}
