import { ToolError } from '../../base/toolError.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { type RequestBody, requestBody } from '../../manifest/model/requestBody.ts';
import type { BodyProblem } from '../../schema/record/problem.ts';
import type { Ref, ResourceId } from '../../schema/record/ref.ts';
import { CreationRefusedError } from '../run/applyErrors.ts';
import type { Run } from '../run/run.ts';

/**
 * Tries a creation by a dry run before the record that it replaces is deleted. If the platform refuses the body,
 * `apply.creation-refused` is thrown, and the old record stays.
 *
 * The dry run uses another name, because under the real name the body would be judged as an update of the old record.
 * It must never stop a replacement that would succeed. So problems that may be caused by the old record alone are
 * ignored: those that name it, and those that a copy of it also has. Any answer other than a list of problems (quota,
 * permission, none) says nothing about the body.
 */
export async function tryCreation(run: Run, deleted: ResourceId, live: LiveResource): Promise<void> {
  const created = run.tried.get(deleted);
  if (created?.create === undefined) return;
  const ref = { ...created.ref, name: trialName(created.name) };
  const [body, hidden] = [created.create.toSend(), created.create.hiddenTexts()];

  const found = (await unlessFailed(() => problemsOf(run, ref, body, hidden))) ?? [];
  const suspected = found.filter(({ message }) => !namesOneOf([live.ref.name, created.name], message));
  if (suspected.length === 0) return;

  const ofCopy = await unlessFailed(() => problemsOf(run, ref, requestBody(live.record), hidden));
  if (ofCopy === undefined) return;
  const messages = new Set(ofCopy.map(({ message }) => message));
  const proven = suspected.filter(({ message }) => !messages.has(message));
  if (proven.length > 0 && (await isFree(run, ref))) throw new CreationRefusedError(created.id, deleted, proven);
}

function problemsOf(
  { port }: Run,
  ref: Ref,
  body: RequestBody,
  hidden: readonly string[],
): Promise<readonly BodyProblem[]> {
  return port.tryCreate(ref, { ...body, name: ref.name }, hidden);
}

/** If a record has the name, the body was judged as an update of it. */
async function isFree({ port }: Run, ref: Ref): Promise<boolean> {
  return (await unlessFailed(async () => ((await port.read(ref)) === undefined ? 'free' : 'taken'))) === 'free';
}

/** Undefined: the platform gave no verdict. */
async function unlessFailed<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** The longest name that all kinds allow has 49 characters. */
const longestStem = 40;

/** A name that is valid wherever the original one is. */
export function trialName(name: string): string {
  return `${name.slice(0, longestStem)}-dry-run`;
}

/** Does the text contain one of the names, other than as part of a longer one? */
function namesOneOf(names: readonly string[], text: string): boolean {
  const words = new Set(text.split(/[^a-z0-9-]/));
  return names.some((name) => words.has(name));
}
