import { lstat, open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ApplyResult, Failed } from '../../apply/events.ts';
import type { JsonValue } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import type { KeepingClient } from '../../client/keepingShown.ts';
import { fillLive, liveReferences } from '../../manifest/live/liveReference.ts';
import { makeAnother } from '../../manifest/live/shownOnce.ts';
import type { Snapshot } from '../../manifest/live/snapshot.ts';
import type { Output } from '../../manifest/model/manifest.ts';
import type { Plan, Save } from '../../plan/model/plan.ts';
import { systemReason } from '../../project/files/fileRefusal.ts';
import { writeWhole } from '../../project/files/writeWhole.ts';

/** Access only for the user who runs Gantry. */
const onlyOwner = 0o600;

interface LocatedSave extends Save {
  readonly path: string;
}

/**
 * Files for values that are shown once. Each file is created empty before its value, so no value is created that cannot
 * be stored.
 */
export class SaveFiles {
  readonly #saves: readonly LocatedSave[];

  private constructor(saves: readonly LocatedSave[]) {
    this.#saves = saves;
  }

  /** Errors: `output.file` if a file has content or cannot be created. */
  static async open(saves: readonly Save[], folder: string): Promise<SaveFiles> {
    const files = new SaveFiles(saves.map((save) => ({ ...save, path: resolve(folder, save.file) })));
    try {
      for (const save of files.#saves) await createEmpty(save);
      return files;
    } catch (error) {
      await files.removeEmpty();
      throw error;
    }
  }

  /**
   * Creates and writes the values of records that are as planned, and skips those of others. A file that was changed
   * meanwhile stays as it is: its value is not created, and counts as failed.
   */
  async write(client: KeepingClient, result: ApplyResult, isStopped: () => boolean): Promise<ApplyResult> {
    const open = new Set([...result.failed, ...result.skipped].map(({ id }) => id));
    const failed: Failed[] = [];
    const notes: string[] = [];
    for (const save of this.#saves) {
      if (result.interrupted || isStopped() || save.of.some((id) => open.has(id))) continue;
      try {
        if (!(await isEmptyFile(save.path)))
          throw refusedFile(save, 'which something else changed while the plan ran; it was not written', moveAway);
        await writeShown(client, save);
        notes.push(`the output ${save.output} is in the file ${save.file}, and is not shown again`);
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        failed.push({ id: save.of[0] ?? save.output, error });
      }
    }
    await this.removeEmpty();
    return {
      ...result,
      failed: [...result.failed, ...failed],
      ...present({ notes: notes.length === 0 ? undefined : [...(result.notes ?? []), ...notes] }),
    };
  }

  /** Removes the files that nothing was written to. */
  async removeEmpty(): Promise<void> {
    for (const { path } of this.#saves) if (await isEmptyFile(path)) await rm(path, { force: true });
  }
}

/** An empty file may remain from a killed run. */
async function createEmpty(save: LocatedSave): Promise<void> {
  try {
    await (await open(save.path, 'wx', onlyOwner)).close();
  } catch (error) {
    if (await isEmptyFile(save.path)) return;
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') throw refusedFile(save, 'which exists; nothing was changed', moveAway);
    const [reason, hint] =
      code === 'ENOENT'
        ? ['its folder does not exist', 'Make the folder, or name another file in saveTo.']
        : [systemReason(error), 'Name another file in saveTo.'];
    throw refusedFile(save, `which cannot be made: ${reason}; nothing was changed`, hint);
  }
}

const moveAway = 'Move the file away, or name another one in saveTo.';

function refusedFile({ output, file }: Save, why: string, hint: string): ToolError {
  const message = `the output ${output} is to be saved to ${file}, ${why}`;
  return new ToolError({ code: 'output.file', message, hint });
}

async function isEmptyFile(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isFile() === true && found.size === 0;
}

async function writeShown(client: KeepingClient, { output, file, path, value }: LocatedSave) {
  const references = liveReferences(value);
  const values = new Map<string, JsonValue>();
  for (const reference of references) values.set(reference.text, await client.shownOnce(reference));
  const filled = fillLive(value, ({ text }) => values.get(text));
  try {
    writeWhole(path, typeof filled === 'string' ? filled : `${JSON.stringify(filled, undefined, 2)}\n`, onlyOwner);
  } catch (error) {
    const [first] = references;
    const live = first === undefined ? undefined : await client.record(first.ref).catch(() => undefined);
    throw new ToolError({
      code: 'output.file',
      message: `the output ${output} was made and could not be written to ${file}: ${systemReason(error)}. Its value is lost`,
      hint: first === undefined ? '' : `Run ${makeAnother(first, live?.record ?? {})}.`,
      cause: error,
    });
  }
}

/** Adds a note for each lost value: a run was killed after creating the value and before writing its file. */
export async function withLostNotes(
  plan: Plan,
  outputs: readonly Output[],
  { resources }: Pick<Snapshot, 'resources'>,
  folder: string,
): Promise<Plan> {
  const planned = new Set(plan.saves?.map(({ output }) => output));
  const notes: string[] = [];
  for (const { name, value, saveTo } of outputs) {
    const [first] = liveReferences(value);
    const live = first === undefined ? undefined : resources.get(first.id);
    if (saveTo === undefined || first === undefined || live === undefined || planned.has(name)) continue;
    if (!(await isEmptyFile(resolve(folder, saveTo.file)))) continue;
    notes.push(
      `the value of the output ${name} is lost: a run ended before it was written to ${saveTo.file}. Run ${makeAnother(first, live.record)}`,
    );
  }
  return notes.length === 0 ? plan : { ...plan, notes: [...plan.notes, ...notes] };
}
