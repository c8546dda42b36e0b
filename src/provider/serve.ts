import { once } from '../base/once.ts';
import { providerSource } from '../hcl/provider.ts';
import { removeAbandoned } from './host/endpoint.ts';
import { handshakeLine, type Invitation, reattachValue } from './host/handshake.ts';
import { logOf } from './host/log.ts';
import { startPluginServer } from './host/pluginServer.ts';
import type { Provider } from './services/makeHandlers.ts';

/**
 * Serves Terraform until it requests the end. `isDebugged`: it was not started by Terraform, so it prints how to reach
 * it; Ctrl-C ends it.
 */
export async function serve(invitation: Partial<Invitation>, isDebugged: boolean): Promise<void> {
  const log = logOf(process.env, (line) => void process.stderr.write(line));
  let provider: Promise<Provider> | undefined;
  /** Loaded by the first call, because Terraform waits for the handshake. */
  function loaded(): Promise<Provider> {
    provider ??= import('./services/makeHandlers.ts').then(({ makeHandlers }) =>
      makeHandlers({ environment: process.env, cwd: process.cwd(), log }),
    );
    return provider;
  }
  const server = await startPluginServer({ handlers: async () => (await loaded()).handlers, log, ...invitation });

  /** Sockets of killed providers are removed after the first answers to Terraform, or at the end of a shorter call. */
  const tidy = once(() => removeAbandoned(invitation.socketFolder).catch(() => {}));

  let isEnding = false;
  /** Running requests are finished, because the state would otherwise lack a record that is being written. */
  function end(): void {
    if (isEnding) return;
    isEnding = true;
    Promise.resolve(provider?.then(({ close }) => close()))
      .finally(() => server.close())
      .finally(tidy)
      .finally(() => process.exit(0));
  }
  // The terminal sends Ctrl-C to the provider too: Terraform handles it, and calls StopProvider.
  process.on('SIGINT', isDebugged ? end : () => {});
  process.on('SIGTERM', end);
  server.shutDown.then(async () => (await provider)?.settle()).finally(end);
  if (isDebugged) {
    const value = reattachValue(providerSource, server.address, process.pid);
    process.stdout.write(`TF_REATTACH_PROVIDERS='${value}'\n`);
    return;
  }
  whenParentEnds(end);
  process.stdout.write(`${handshakeLine(server.address, server.certificate?.der)}\n`);
  setTimeout(tidy, pauseMs).unref();
}

const pauseMs = 1_000;

/** Calls back when the parent process has ended: if it is killed, it sends no request to end. */
function whenParentEnds(end: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, pauseMs);
  timer.unref();
}
