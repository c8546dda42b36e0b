import { isObject, listAt, objectAt, own, stringAt } from '../base/json/json.ts';
import { doctorTag, isCurrent, isGone, pathsOf, type Step, steps } from '../capabilities/examineWriting.ts';
import { isSuccess, type Seen } from '../capabilities/survey.ts';
import type { Asker } from './asker.ts';

const firstPauseMs = 25;
const longestPauseMs = 500;

/**
 * Examines the effects of writes in a GVC of this name. Finally deletes it with its content in any case, if it carries
 * our tag. Returns whether nothing of it remains.
 */
export async function examineByWriting(asker: Asker, org: string, gvc: string, signal: AbortSignal): Promise<boolean> {
  const paths = pathsOf(org, gvc);
  try {
    for (const step of steps) {
      if (signal.aborted || !(await runStep(asker, step, paths, gvc))) break;
    }
  } catch (error) {
    await removeGvc(asker, paths, gvc);
    throw error;
  }
  return removeGvc(asker, paths, gvc);
}

type Paths = ReturnType<typeof pathsOf>;

/** Returns false if the platform does not show its own write: then no later step would show anything. */
async function runStep(asker: Asker, step: Step, paths: Paths, gvc: string): Promise<boolean> {
  const question = step.ask(asker.survey(), gvc);
  if (question === undefined) return true;
  const answer = await asker.ask(step.name, question);
  if (step.mayWait === true && (answer.status === 404 || answer.status === 409)) {
    asker.recordAnswer(`${step.name}:first-answer`, answer);
    asker.recordAnswer(step.name, await pollUntil(asker, () => asker.send(question), isSuccess));
  }
  if (step.plainer !== undefined && answer.status === 400) {
    asker.recordAnswer(`${step.name}:refused`, answer);
    await asker.ask(step.name, { ...question, body: { name: gvc, ...step.plainer } });
  }
  const written = asker.survey().seen(step.name) ?? answer;
  if (step.reads === undefined || !isSuccess(written)) return true;
  const path = paths[step.reads];
  const first = await asker.ask(`${step.name}:first`, { method: 'GET', path });
  const isRight = (read: Seen): boolean => isCurrent(step, written, read, asker.survey().seen('absent'));
  const last = isRight(first) ? first : await pollUntil(asker, () => asker.send({ method: 'GET', path }), isRight);
  asker.recordAnswer(`${step.name}:after`, last);
  return isRight(last);
}

/** The first correct answer, or the last one after the time limit. */
async function pollUntil(
  asker: Asker,
  send: () => Promise<Seen>,
  isRight: (seen: Seen) => boolean,
  startMs = firstPauseMs,
): Promise<Seen> {
  const deadlineMs = performance.now() + asker.patienceMs;
  for (let pauseMs = startMs; ; pauseMs = Math.min(Math.max(pauseMs * 2, firstPauseMs), longestPauseMs)) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const seen = await send();
    if (isRight(seen) || performance.now() > deadlineMs) return seen;
  }
}

/** Returns whether nothing remains. Deletes only what is certainly ours: the name may belong to another record. */
async function removeGvc(asker: Asker, paths: Paths, gvc: string): Promise<boolean> {
  const survey = asker.survey();
  const created = survey.seen('create');
  if (created === undefined) return true;
  // It may still appear, in the background or after a lost or wrong answer.
  const mayAppear = isSuccess(created) || created.status === 0 || created.status >= 500;
  const isOver = !mayAppear || survey.seen('delete-gvc') !== undefined;
  const absent = survey.seen('absent');
  const isAbsent = (seen: Seen): boolean => isGone(seen, absent);
  const find = () => asker.send({ method: 'GET', path: paths.gvc });
  const found = await pollUntil(asker, find, (seen) => (isAbsent(seen) ? isOver : isSuccess(seen)), 0);
  if (isAbsent(found)) return true;
  const isTagged = isObject(found.body) && own(objectAt(found.body, 'tags'), doctorTag) === gvc;
  if (!isSuccess(created) && !isTagged) return true;
  const first = await asker.send({ method: 'DELETE', path: paths.gvc });
  if (!isSuccess(first) && !isAbsent(first)) await removeContent(asker, paths, isAbsent);
  const lastAnswer = await pollUntil(
    asker,
    async () => {
      const seen = await find();
      return isAbsent(seen) ? seen : asker.send({ method: 'DELETE', path: paths.gvc });
    },
    isAbsent,
  );
  return isAbsent(lastAnswer);
}

/** The platform does not delete a GVC with content. */
async function removeContent(asker: Asker, { gvc, workload }: Paths, isAbsent: (seen: Seen) => boolean): Promise<void> {
  const listed = await asker.send({ method: 'GET', path: `${gvc}/workload` });
  const names = isObject(listed.body) ? listAt(listed.body, 'items').filter(isObject) : [];
  const paths = names.map((record) => `${gvc}/workload/${encodeURIComponent(stringAt(record, 'name') ?? '')}`);
  for (const path of new Set([workload, `${gvc}/workload/dry`, ...paths])) {
    await asker.send({ method: 'DELETE', path });
  }
  await pollUntil(asker, () => asker.send({ method: 'GET', path: workload }), isAbsent);
}
