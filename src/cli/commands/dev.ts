import { type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { JsonObject } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { counted } from '../../base/text/counted.ts';
import { ToolError } from '../../base/toolError.ts';
import { confirmAndRun, turnsOf } from '../../gantry/apply.ts';
import { type Run, resultToJson, runError } from '../../gantry/applying/runResult.ts';
import type { NewPlan } from '../../gantry/gantry.ts';
import { interruptByAbort } from '../../gantry/interruptByAbort.ts';
import { changesOf } from '../../gantry/loading/changesOf.ts';
import { checkInputs, type LoadedStack, stacksOf } from '../../gantry/loading/loadStack.ts';
import { type PlanStackOptions, planStack } from '../../gantry/plan.ts';
import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import { displayPath } from '../../project/files/fileRefusal.ts';
import { settingsFileName } from '../../project/files/projectFiles.ts';
import { findInput } from '../../project/inputs/findInput.ts';
import { splitSelector } from '../../project/inputs/stackSelector.ts';
import { openPlatform, type Platform } from '../../project/platform/platform.ts';
import type { Session } from '../../project/session/session.ts';
import { openProject } from '../../project/settings/project.ts';
import { startEarly } from '../../project/stack/early.ts';
import { toText } from '../../terminal/answer.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { errorToJson } from '../../terminal/errorDocument.ts';
import { renderToolError } from '../../terminal/errorText.ts';
import { exitCode, exitCodeOf } from '../../terminal/exitCode.ts';
import { signals } from '../../terminal/interrupt.ts';
import { printable } from '../../terminal/printable.ts';
import { problemToJson } from '../../terminal/problemJson.ts';
import { renderProblems } from '../../terminal/problemText.ts';
import type { Screen } from '../../terminal/terminal.ts';
import { rowsOf, wrapLines } from '../../terminal/textWidth.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { planText } from '../output/showPlan.ts';
import { resultText } from '../steps/resultText.ts';
import type { DevOptions } from './devOptions.ts';

/**
 * Plans again whenever a file of the stack is saved, until it is interrupted. Uses one embedded platform for the whole
 * time. A save during a round stops its stack, and the next round begins.
 */
export async function runDev(given: CommandContext<DevOptions>, paths: readonly string[]): Promise<Ending> {
  const context = { ...given, options: { ...given.options, embedded: true } };
  if (paths.includes('-'))
    throw new UsageError('gantry dev watches files, so it cannot read standard input', 'Name a path.');
  const ended = listenForSignal();
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
  files.watchOnly(await filesOf(paths, context), project.folder);
  const display = openRoundDisplay(context);
  let number = 0;
  let changedFiles: readonly string[] = [];
  try {
    while (!ended.signal.aborted) {
      round = new AbortController();
      changed = Promise.withResolvers();
      files.pause();
      display.begin();
      const startedMs = context.now();
      const session = { ...context, interruptible: interruptByAbort(round.signal) };
      const result = await runRound({ session, paths, platform, apply: context.options.apply }).catch(
        undefinedIfInterrupted,
      );
      if (result !== undefined) {
        number += 1;
        files.watchOnly(result.files, project.folder);
        // The user may save as soon as the plan is visible.
        files.resume();
        const elapsedMs = context.now() - startedMs;
        const watched = files.count;
        await display.show({ round: result, number, changed: changedFiles, elapsedMs, at: new Date(), watched });
        changedFiles = [];
        if (runsCode(result)) startNext(context);
        await changed.promise;
      }
      changedFiles = [
        ...new Set([...changedFiles, ...files.takeChanged().map((file) => displayPath(file, context.cwd))]),
      ];
    }
    return exitCode.ok;
  } finally {
    files.close();
    await display.close();
    await platform.close();
    ended.release();
  }
}

/** The files of the command line; their imports are known after the first round. */
async function filesOf(paths: readonly string[], { cwd }: CommandContext<DevOptions>): Promise<readonly string[]> {
  const found = await Promise.all(
    (paths.length === 0 ? ['.'] : paths).map(async (path) => findInput((await splitSelector(path, cwd)).path, cwd)),
  );
  return found.flatMap((input) => {
    if (input.type === 'stack') return [input.path];
    return input.type === 'files' ? input.paths : [];
  });
}

function undefinedIfInterrupted(error: unknown): undefined {
  if (error instanceof ToolError && error.code === 'automation.interrupted') return undefined;
  throw error;
}

function runsCode({ files }: Round): boolean {
  return files.some((file) => /\.[cm]?[jt]s$/.test(file));
}

/** Starts the process for the next round in advance: this takes longer than running a small stack. */
function startNext({ cwd, environment, stackProcess }: CommandContext<DevOptions>): void {
  startEarly({ cwd: resolve(cwd), environment, nodeOptions: stackProcess?.nodeOptions ?? [] }, 'edited');
}

/** The time in which one Ctrl-C may arrive twice: directly, and passed on by a process that it ended. */
const repeatedSignalMs = 1_000;

interface SignalListener {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  release(): void;
}

/**
 * The first signal ends the command in an orderly way; later ones go to the other listeners, which exit immediately.
 */
function listenForSignal(): SignalListener {
  const controller = new AbortController();
  function release(): void {
    for (const signal of signals) process.off(signal, handleSignal);
  }
  function handleSignal(): void {
    if (controller.signal.aborted) return;
    controller.abort();
    setTimeout(release, repeatedSignalMs).unref();
  }
  for (const signal of signals) process.on(signal, handleSignal);
  return { signal: controller.signal, release };
}

/** The output of rounds. */
interface RoundDisplay {
  begin(): void;
  show(view: RoundView): Promise<void>;
  close(): Promise<void>;
}

/** On a terminal each text round replaces the last one; otherwise rounds follow each other. */
function openRoundDisplay(context: CommandContext<DevOptions>): RoundDisplay {
  const { options, terminal } = context;
  if (options.output === 'text' && terminal.screen !== undefined) return new LiveView(terminal.screen, context);
  return {
    begin: () => undefined,
    close: () => Promise.resolve(),
    async show(view) {
      if (options.output === 'json') return terminal.result(JSON.stringify(roundToJson(view)));
      if (options.output === 'yaml') {
        return terminal.result(`---\n${(await toText(roundToJson(view), 'yaml')).trimEnd()}`);
      }
      terminal.result([headOf(view, context), ...(await bodyOf(view.round, context, false)), ''].join('\n'));
    },
  };
}

/** The JSON document of a round (`schema.ts`). */
function roundToJson({ round, number, changed, elapsedMs }: RoundView): JsonObject {
  const { problems, plans, error, output } = round;
  return {
    round: number,
    changed,
    milliseconds: Math.round(elapsedMs),
    problems: problems.map(problemToJson),
    plans: plans.map(({ planned, applied }) => ({
      ...planned.toJSON(),
      ...present({ result: applied === undefined ? undefined : resultToJson(applied) }),
    })),
    output,
    ...present({ error: error === undefined ? undefined : errorToJson(error, exitCodeOf(error.code)) }),
  };
}

/** A round that takes longer than this is announced. */
const patientMs = 300;
/** Moves to the first row, and clears the screen from there on. */
const clear = '\u001b[H\u001b[0J';

/**
 * The last round on a terminal, redrawn by the next one and when the window is resized. The earlier content is scrolled
 * up first, and the cursor stays visible, so nothing has to be restored however the process ends.
 */
class LiveView {
  readonly #screen: Screen;
  readonly #context: CommandContext<DevOptions>;
  readonly #release: () => void;
  #view: RoundView | undefined;
  #footer: string | undefined;
  #hasDrawn = false;
  #drawing: Promise<void> = Promise.resolve();
  #announcement: NodeJS.Timeout | undefined;

  constructor(screen: Screen, context: CommandContext<DevOptions>) {
    this.#screen = screen;
    this.#context = context;
    this.#release = screen.onResize(() => {
      if (this.#hasDrawn) void this.#draw();
    });
  }

  begin(): void {
    clearTimeout(this.#announcement);
    this.#announcement = setTimeout(() => {
      this.#footer = 'Running and planning the stack …  Ctrl-C ends.';
      void this.#draw();
    }, patientMs);
  }

  async show(view: RoundView): Promise<void> {
    clearTimeout(this.#announcement);
    this.#view = view;
    this.#footer = `Watching ${counted(view.watched, 'file')}. Ctrl-C ends.`;
    await this.#draw();
  }

  /** Leaves the last round on the screen; the next text begins below it. */
  async close(): Promise<void> {
    clearTimeout(this.#announcement);
    this.#release();
    this.#footer = undefined;
    if (this.#hasDrawn) await this.#draw();
  }

  /** Draws in sequence, because the text of a round may be loaded asynchronously. */
  #draw(): Promise<void> {
    this.#drawing = this.#drawing.then(async () => {
      const { columns, rows } = this.#screen.size();
      const foot = this.#footer === undefined ? [] : [this.#context.terminal.palette.faint(this.#footer)];
      const lines = this.#view === undefined ? [] : await this.#linesOf(this.#view, columns, rows);
      const scrolled = this.#hasDrawn ? '' : '\n'.repeat(rows);
      this.#hasDrawn = true;
      const end = foot.length === 0 && lines.length > 0 ? '\n' : '';
      const gap = foot.length > 0 && lines.length > 0 ? [''] : [];
      this.#screen.draw(`${scrolled}${clear}${[...lines, ...gap, ...foot].join('\n')}${end}`);
    });
    return this.#drawing;
  }

  /** The lines that fit above the footer. */
  async #linesOf(view: RoundView, columns: number, rows: number): Promise<readonly string[]> {
    const head = headOf(view, this.#context);
    const availableRows = Math.max(1, rows - 3 - rowsOf(head, columns)); // besides: two empty lines, and the footer
    const height = (lines: readonly string[]) => lines.reduce((sum, line) => sum + rowsOf(line, columns), 0);
    const fullBody = await bodyOf(view.round, this.#context, false);
    const body = height(fullBody) <= availableRows ? fullBody : await bodyOf(view.round, this.#context, true);
    const shownLines: string[] = [];
    let usedRows = 0;
    const isCut = height(body) > availableRows;
    for (const line of body) {
      usedRows += rowsOf(line, columns);
      if (isCut && usedRows > availableRows - 1) break;
      shownLines.push(line);
    }
    const more = isCut ? [`… and ${counted(body.length - shownLines.length, 'more line')}`] : [];
    return [head, '', ...shownLines, ...more];
  }
}

/** Editors write a file in several steps. */
const quietMs = 20;
/** Files of editors, Gantry and packages; a name without an extension is a folder or temporary. */
const ignoredFile = /^\.|~$|\.(?:swp|swx|tmp|bak|db|log)$|^[^.]*$/;

/**
 * Watches the folders of a stack's files. A saved file of the stack counts as a change. So does another file in these
 * folders, which the stack may read, unless the stack wrote it itself.
 */
class WatchedFiles {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #changed = new Set<string>();
  readonly #onChange: () => void;
  #known: ReadonlySet<string> = new Set();
  #sinceMs = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  /** `onChange`: called after a change, once no further one follows for a moment. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Returns the changed files, and forgets them. */
  takeChanged(): readonly string[] {
    const changed = [...this.#changed].sort();
    this.#changed.clear();
    return changed;
  }

  get count(): number {
    return this.#known.size;
  }

  /** Ignores other files than the stack's that are written while it runs: the user did not save them. */
  pause(): void {
    this.#sinceMs = Number.POSITIVE_INFINITY;
  }

  resume(): void {
    this.#sinceMs = performance.timeOrigin + performance.now(); // as precise as file times
  }

  /** Sets the files to watch. `folder`: the project's, where new files may appear. */
  watchOnly(files: readonly string[], folder: string): void {
    this.#known = new Set(files);
    const folders = new Set([folder, ...files.map((file) => dirname(file))]);
    for (const [path, watcher] of this.#watchers) {
      if (folders.has(path)) continue;
      watcher.close();
      this.#watchers.delete(path);
    }
    for (const path of folders) if (!this.#watchers.has(path)) this.#watch(path);
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #watch(folder: string): void {
    try {
      const watcher = watch(folder, (_, name) => {
        if (name !== null) this.#noticed(join(folder, name));
      });
      watcher.on('error', () => {
        watcher.close();
        this.#watchers.delete(folder);
      });
      this.#watchers.set(folder, watcher);
    } catch {
      // It was deleted, or the limit of watchers is reached: the others are still watched.
    }
  }

  #noticed(path: string): void {
    if (!this.#counts(path)) return;
    this.#changed.add(path);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onChange, quietMs);
  }

  #counts(path: string): boolean {
    const name = basename(path);
    if (this.#known.has(path) || name === settingsFileName) return true;
    if (ignoredFile.test(name)) return false;
    try {
      return statSync(path).mtimeMs > this.#sinceMs;
    } catch {
      return false; // deleted, and not part of the stack
    }
  }
}

/** A round with the facts about it that are shown. */
interface RoundView {
  readonly round: Round;
  /** From 1. */
  readonly number: number;
  /** The saved files by their displayed names; empty for the first round. */
  readonly changed: readonly string[];
  readonly elapsedMs: number;
  readonly at: Date;
  readonly watched: number;
}

function headOf(
  { round, changed, elapsedMs, at }: RoundView,
  { terminal: { palette } }: CommandContext<DevOptions>,
): string {
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
  const what = changed.length === 0 ? 'started' : `${changed.map(printable).join(', ')} changed`;
  const done = round.plans.length === 0 ? 'not planned' : 'planned';
  return `${palette.strong('gantry dev')}  ${time}  ${what}; ${done} in ${(elapsedMs / 1000).toFixed(2)} s`;
}

/** The lines below the head, wrapped to the width of the results. */
async function bodyOf(
  { problems, plans, error, output }: Round,
  context: CommandContext<DevOptions>,
  compact: boolean,
): Promise<readonly string[]> {
  const { terminal } = context;
  const { palette } = terminal;
  const width = terminal.resultColumns();
  const look = { ...context, options: { ...context.options, patch: false, full: false, compact } };
  const lines = [...output.map(printable), ...renderProblems(problems, { palette, width })];
  for (const { planned, applied } of plans) {
    lines.push(...(await planText(planned.plan, look)).split('\n'));
    if (applied === undefined) continue;
    lines.push('', ...wrapLines(resultText(planned.plan, applied, palette), width).split('\n'));
  }
  if (
    error !== undefined &&
    !plans.some(({ applied }) => applied !== undefined && runError(applied.result) === error)
  ) {
    lines.push(...renderToolError(error, palette).split('\n'));
  }
  return lines;
}

/** A stack that was planned again. */
interface DevPlan {
  readonly planned: NewPlan;
  /** Absent if nothing was applied. */
  readonly applied?: Run;
}

/** The result of one save. */
interface Round {
  /** Problems of the stack; after errors nothing is planned. */
  readonly problems: readonly LocatedProblem[];
  readonly plans: readonly DevPlan[];
  /** The reason for a missing plan or a failed run, unless it is a problem of the stack. */
  readonly error?: ToolError;
  /** The output of the stack, and notes on its files. */
  readonly output: readonly string[];
  /** The absolute paths of loaded files. */
  readonly files: readonly string[];
}

interface RoundOptions {
  readonly session: Session;
  readonly paths: readonly string[];
  readonly platform: Platform;
  readonly apply: boolean;
}

/** No permits, and no limit of deletions: it is the platform on this machine. */
const permits = { maxDeletes: undefined };

/** Loads, checks, plans. Throws `automation.interrupted` and internal errors; the round contains all others. */
async function runRound({ session, paths, platform, apply }: RoundOptions): Promise<Round> {
  const output: string[] = [];
  const collectingSession: Session = {
    ...session,
    tell(notice) {
      if (notice.type === 'note') output.push(notice.text);
      if (notice.type === 'output') output.push(`${notice.file} | ${notice.line}`);
    },
  };
  const planOne = (stack: LoadedStack, how: PlanStackOptions) =>
    planStack(collectingSession, platform, stack, { ...how, permits });
  const plans: DevPlan[] = [];
  let problems: readonly LocatedProblem[] = [];
  let files: readonly string[] = [];
  try {
    const checked = await checkInputs(collectingSession, paths, 'read', { includeFiles: true });
    ({ problems, files } = checked);
    if (problems.some(({ severity }) => severity === 'error')) return { problems, plans, output, files };
    const stacks = await stacksOf(collectingSession, checked, paths, checked.selected === undefined);
    files = [...files, ...(stacks[0]?.policies?.files ?? [])];
    if (!apply) {
      for (const stack of stacks) {
        const before = changesOf(plans.map((each) => each.planned));
        plans.push({ planned: await planOne(stack, { isApplied: false, before }) });
      }
    }
    for (const turn of apply ? turnsOf(stacks) : []) {
      const made = await planOne(turn.stack, turn.planOptions(platform));
      turn.recordApplied(made);
      const { run, error } = await confirmAndRun(collectingSession, platform, made, {});
      plans.push({ planned: made, ...present({ applied: run }) });
      if (run !== undefined && error !== undefined) return { problems, plans, output, files, error };
    }
    return { problems, plans, output, files };
  } catch (error) {
    if (!(error instanceof ToolError) || error.code === 'automation.interrupted') throw error;
    return { problems, plans, output, files, error };
  }
}
