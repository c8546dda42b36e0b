import { planToJson } from '../../../plan/documents/planToJson.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { errorToJson } from '../../answer/errorDocument.ts';
import { problemToJson } from '../../answer/problemJson.ts';
import { exitCodeOf } from '../../process/exitCode.ts';
import type { Shown } from './roundText.ts';

/** A round for programs (`schema.ts`). */
export function roundToJson({ round, number, changed, elapsedMs }: Shown): JsonObject {
  const { problems, plans, error, output } = round;
  return {
    round: number,
    changed,
    milliseconds: Math.round(elapsedMs),
    problems: problems.map(problemToJson),
    plans: plans.map(({ planned, applied }) => ({
      ...planToJson(planned.plan, planned.desired),
      ...(applied === undefined ? {} : { result: applied.json }),
    })),
    output,
    ...(error === undefined ? {} : { error: errorToJson(error, exitCodeOf(error.code)) }),
  };
}
