import { toText } from '../../answer/toText.ts';
import type { CommandContext } from '../../line/context.ts';
import { LiveView } from './liveView.ts';
import type { DevOptions } from './options.ts';
import { roundToJson } from './roundJson.ts';
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
