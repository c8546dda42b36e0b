import type { JsonObject } from '../../../base/json/json.ts';
import { planToJson } from '../../../change/documents/planToJson.ts';
import { errorToJson } from '../../../terminal/answer/errorDocument.ts';
import { problemToJson } from '../../../terminal/answer/problemJson.ts';
import { toText } from '../../../terminal/answer/toText.ts';
import type { CommandContext } from '../../../terminal/line/context.ts';
import { exitCodeOf } from '../../../terminal/process/exitCode.ts';
import { LiveView } from './liveView.ts';
import type { DevOptions } from './options.ts';
import { bodyOf, headOf, type Shown } from './roundText.ts';

/** Where rounds are shown. */
export interface RoundDisplay {
  /** A round begins. */
  begin(): void;
  show(shown: Shown): Promise<void>;
  close(): Promise<void>;
}

/** For people on a terminal one round in place of the other, else one after the other. */
export function openRoundDisplay(context: CommandContext<DevOptions>): RoundDisplay {
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
      ...planToJson(planned.plan, planned.desired),
      ...(applied === undefined ? {} : { result: applied.json }),
    })),
    output,
    ...(error === undefined ? {} : { error: errorToJson(error, exitCodeOf(error.code)) }),
  };
}
