import { isObject } from '../base/json/json.ts';
import type { Capabilities } from '../capabilities/capabilities.ts';
import { type Examined, examine, findingsOf } from '../capabilities/examination.ts';
import { readingRounds } from '../capabilities/examineReading.ts';
import { defaultsShown } from '../capabilities/examineWriting.ts';
import type { Survey } from '../capabilities/survey.ts';
import { unknownOrg } from '../client/fetchSnapshot.ts';
import { badReply, redirected, wireError } from '../client/http/apiError.ts';
import type { Platform } from '../project/platform/platform.ts';
import { Asker } from './asker.ts';

/** How a platform answers to each assumption. */
export interface Examination {
  readonly examined: readonly Examined[];
  /** Of what is found, what later runs start from. */
  readonly findings: Capabilities;
  /** How many seconds the clock of the platform is ahead of the one here; undefined: unknown. */
  readonly clockDifference: number | undefined;
  readonly requests: number;
  /** The name of the GVC that was made and could not be deleted. */
  readonly remains?: string;
}

interface HowToExamine {
  /** A name that no record has: of a GVC that is made, where something is written. */
  readonly name: string;
  /**
   * Undefined: nothing is written. Called when writing begins; its signal aborted: what was made is removed, and no more
   * is asked.
   */
  readonly write: (() => AbortSignal) | undefined;
  /** Called after each answer, and where there was none: of the questions that are known by then. */
  readonly onAnswer?: ((answered: number, asked: number) => void) | undefined;
}

/** Errors: those of a platform that cannot be reached, that refuses the token, or that does not know the org. */
export async function examinePlatform(
  { client, org }: Platform,
  { name, write, onAnswer }: HowToExamine,
): Promise<Examination> {
  const before = client.requests();
  const asker = new Asker(client, undefined, onAnswer);
  for (const round of readingRounds) {
    await asker.askAll(round(asker.survey(), name));
    if (round === readingRounds[0]) refuseUseless(asker.survey());
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
    ...(isRemoved ? {} : { remains: name }),
  };
}

/** Where nothing can be found out, the reason is an error. */
function refuseUseless(survey: Survey): void {
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
