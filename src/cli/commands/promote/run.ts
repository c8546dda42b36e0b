import { differs, promotionToJson } from '../../../change/documents/promotionDocument.ts';
import { promote } from '../../../gantry/promote.ts';
import type { Ending } from '../../../terminal/answer/ending.ts';
import { show } from '../../../terminal/answer/show.ts';
import type { CommandContext } from '../../../terminal/line/context.ts';
import type { GlobalOptions } from '../../../terminal/line/options.ts';
import { exitCode } from '../../../terminal/process/exitCode.ts';
import { renderPromotion } from './text.ts';

export interface PromoteCommandOptions extends GlobalOptions {
  readonly write: boolean;
  readonly detailedExitcode: boolean;
}

/** Needs no platform. Only `gantry.yaml` is written, and only with `--write`. */
export async function runPromote(
  context: CommandContext<PromoteCommandOptions>,
  names: { readonly from: string; readonly to: string },
  paths: readonly string[],
): Promise<Ending> {
  const { options, terminal } = context;
  const promotion = await promote(context, paths, { ...names, write: options.write });
  await show(context, {
    text: () => renderPromotion(promotion, terminal.palette),
    document: () => promotionToJson(promotion),
  });
  return options.detailedExitcode && differs(promotion) ? exitCode.changes : exitCode.ok;
}
