import { resolve } from 'node:path';
import type { JsonObject } from '../../../base/json/json.ts';
import { ToolError } from '../../../base/toolError.ts';
import { resultToJson } from '../../../gantry/applying/resultJson.ts';
import { interruptByAbort } from '../../../gantry/interruptByAbort.ts';
import { displayPath } from '../../../project/files/displayPath.ts';
import { findInput } from '../../../project/inputs/findInput.ts';
import { splitSelector } from '../../../project/inputs/stackSelector.ts';
import { openPlatform } from '../../../project/platform/platform.ts';
import { openProject } from '../../../project/settings/project.ts';
import { startEarly } from '../../../project/stack/early.ts';
import type { Ending } from '../../../terminal/answer/ending.ts';
import { errorToJson } from '../../../terminal/answer/errorDocument.ts';
import { problemToJson } from '../../../terminal/answer/problemJson.ts';
import { toText } from '../../../terminal/answer/toText.ts';
import type { CommandContext } from '../../../terminal/line/context.ts';
import { UsageError } from '../../../terminal/line/usageError.ts';
import { exitCode, exitCodeOf } from '../../../terminal/process/exitCode.ts';
import { LiveView } from './liveView.ts';
import type { DevOptions } from './options.ts';
import { type Round, runRound } from './round.ts';
import { bodyOf, headOf, type Shown } from './roundText.ts';
import { WatchedFiles } from './watchedFiles.ts';

/**
 * Plans again whenever a file of the stack is saved, until it is interrupted. The platform is the one on this machine,
 * for the whole time. A save during a round ends that round: its stack is stopped, and the next one begins.
 */
export async function runDev(given: CommandContext<DevOptions>, paths: readonly string[]): Promise<Ending> {
  const context = { ...given, options: { ...given.options, embedded: true } };
  if (paths.includes('-')) throw new UsageError('gantry dev watches files, and standard input is none', 'Name a path.');
  const ended = untilSignal();
  const project = await openProject(context, paths);
  const platform = await openPlatform(context, project.settings);
  let round = new AbortController();
  let changed = Promise.withResolvers<void>();
  const files = new WatchedFiles(() => {
    round.abort();
    changed.resolve();
  });
  ended.signal.addEventListener('abort', () => {
    round.abort();
    changed.resolve();
  });
  files.follow(await filesOf(paths, context), project.folder);
  const display = openRoundDisplay(context);
  let number = 0;
  let saved: readonly string[] = [];
  try {
    while (!ended.signal.aborted) {
      round = new AbortController();
      changed = Promise.withResolvers();
      files.pause();
      display.begin();
      const startedMs = context.now();
      const session = { ...context, interruptible: interruptByAbort(round.signal) };
      const result = await runRound({ session, paths, platform, apply: context.options.apply }).catch(ifInterrupted);
      if (result !== undefined) {
        number += 1;
        files.follow(result.files, project.folder);
        // Who sees the plan may save at once.
        files.resume();
        const elapsedMs = context.now() - startedMs;
        const watched = files.count;
        await display.show({ round: result, number, changed: saved, elapsedMs, at: new Date(), watched });
        saved = [];
        if (runsCode(result)) startNext(context);
        await changed.promise;
      }
      saved = [...new Set([...saved, ...files.take().map((file) => displayPath(file, context.cwd))])];
    }
    return exitCode.ok;
  } finally {
    files.close();
    await display.close();
    await platform.close();
    ended.release();
  }
}

/** The files named on the command line; their imports are known after the first round. */
async function filesOf(paths: readonly string[], { cwd }: CommandContext<DevOptions>): Promise<readonly string[]> {
  const found = await Promise.all(
    (paths.length === 0 ? ['.'] : paths).map(async (path) => findInput((await splitSelector(path, cwd)).path, cwd)),
  );
  return found.flatMap((input) => {
    if (input.type === 'stack') return [input.path];
    return input.type === 'files' ? input.paths : [];
  });
}

function ifInterrupted(error: unknown): undefined {
  if (error instanceof ToolError && error.code === 'automation.interrupted') return undefined;
  throw error;
}

function runsCode({ files }: Round): boolean {
  return files.some((file) => /\.[cm]?[jt]s$/.test(file));
}

/** The process of the next round waits for it: starting one takes longer than running a small stack. */
function startNext({ cwd, environment, stackProcess }: CommandContext<DevOptions>): void {
  startEarly({ cwd: resolve(cwd), environment, nodeOptions: stackProcess?.nodeOptions ?? [] });
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** How long one Ctrl-C may be heard twice: by this process, and passed on by what it ended. */
const echoMs = 1_000;

interface Until {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  release(): void;
}

/** The first signal ends the command in an orderly way; a later one is left to what else listens, which leaves at once. */
function untilSignal(): Until {
  const controller = new AbortController();
  function release(): void {
    for (const signal of signals) process.off(signal, asked);
  }
  function asked(): void {
    if (controller.signal.aborted) return;
    controller.abort();
    setTimeout(release, echoMs).unref();
  }
  for (const signal of signals) process.on(signal, asked);
  return { signal: controller.signal, release };
}

/** Where rounds are shown. */
interface RoundDisplay {
  /** A round begins. */
  begin(): void;
  show(shown: Shown): Promise<void>;
  close(): Promise<void>;
}

/** For people on a terminal one round in place of the other, else one after the other. */
function openRoundDisplay(context: CommandContext<DevOptions>): RoundDisplay {
  const { options, terminal } = context;
  if (options.output === 'text' && terminal.screen !== undefined) return new LiveView(terminal.screen, context);
  return {
    begin: () => undefined,
    close: () => Promise.resolve(),
    async show(shown) {
      if (options.output === 'json') return terminal.result(JSON.stringify(roundToJson(shown)));
      if (options.output === 'yaml') {
        return terminal.result(`---\n${(await toText(roundToJson(shown), 'yaml')).trimEnd()}`);
      }
      terminal.result([headOf(shown, context), ...(await bodyOf(shown.round, context, false)), ''].join('\n'));
    },
  };
}

/** A round for programs (`schema.ts`). */
function roundToJson({ round, number, changed, elapsedMs }: Shown): JsonObject {
  const { problems, plans, error, output } = round;
  return {
    round: number,
    changed,
    milliseconds: Math.round(elapsedMs),
    problems: problems.map(problemToJson),
    plans: plans.map(({ planned, applied }) => ({
      ...planned.toJSON(),
      ...(applied === undefined ? {} : { result: resultToJson(applied) }),
    })),
    output,
    ...(error === undefined ? {} : { error: errorToJson(error, exitCodeOf(error.code)) }),
  };
}
