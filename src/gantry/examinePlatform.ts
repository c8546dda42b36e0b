import { isObject } from '../base/json/json.ts';
import { present } from '../base/json/present.ts';
import type { Capabilities } from '../capabilities/capabilities.ts';
import { type Examined, examine, findingsOf } from '../capabilities/examination.ts';
import { readingRounds } from '../capabilities/examineReading.ts';
import { defaultsShown } from '../capabilities/examineWriting.ts';
import type { Survey } from '../capabilities/survey.ts';
import { unknownOrg } from '../client/fetchSnapshot.ts';
import { badReply, redirected, wireError } from '../client/http/apiError.ts';
import type { Platform } from '../project/platform/platform.ts';
import { Asker } from './asker.ts';

/** The result for each assumption about a platform. */
export interface Examination {
  readonly examined: readonly Examined[];
  /** The findings that later runs start from. */
  readonly findings: Capabilities;
  /** By how many seconds the platform's clock is ahead of the local one; undefined if unknown. */
  readonly clockDifference: number | undefined;
  readonly requests: number;
  /** The name of the created GVC, if it could not be deleted. */
  readonly remains?: string;
}

interface ExamineOptions {
  /** An unused name for the GVC, which is created if writing is permitted. */
  readonly name: string;
  /**
   * Undefined: nothing is written. Called when writing begins; when its signal is aborted, the GVC is removed and the
   * examination ends.
   */
  readonly write: (() => AbortSignal) | undefined;
  /** Called after each answer or failure; counts only the questions known so far. */
  readonly onAnswer?: ((answered: number, asked: number) => void) | undefined;
}

/** Errors: those of a platform that is unreachable, refuses the token, or does not know the org. */
export async function examinePlatform(
  { client, org }: Platform,
  { name, write, onAnswer }: ExamineOptions,
): Promise<Examination> {
  const before = client.requests();
  const asker = new Asker(client, undefined, onAnswer);
  for (const round of readingRounds) {
    await asker.askAll(round(asker.survey(), name));
    if (round === readingRounds[0]) requireUsefulAnswers(asker.survey());
  }
  let isRemoved = true;
  if (write !== undefined) {
    const { examineByWriting } = await import('./examineByWriting.ts');
    isRemoved = await examineByWriting(asker, org, name, write());
  }
  const examined = examine(asker.survey(), client.capabilities);
  return {
    examined,
    findings: findingsOf(examined, defaultsShown(asker.survey())),
    clockDifference: asker.clockDifference,
    requests: client.requests() - before,
    ...present({ remains: isRemoved ? undefined : name }),
  };
}

/** Throws the reason if nothing can be found out. */
function requireUsefulAnswers(survey: Survey): void {
  const [plain, query, org] = ['plain', 'query', 'org'].map((name) => survey.seen(name));
  if (plain?.status === 401 && query?.status === 401) {
    throw wireError(401, plain.body, `GET /org/${encodeURIComponent(survey.org)}/gvc`);
  }
  if ([plain, query, org].every((seen) => seen?.status === 404)) throw unknownOrg(survey.org);
  const gets = [plain, org, survey.seen('absent')];
  const moved = gets.find((seen) => seen !== undefined && seen.status >= 300 && seen.status < 400);
  if (moved !== undefined && gets.every((seen) => seen?.status === moved.status)) {
    throw redirected(`GET /org/${survey.org}`, moved.status, undefined);
  }
  if (![...survey.all().values()].some(({ body }) => isObject(body))) throw badReply('none of the answers is JSON');
}
