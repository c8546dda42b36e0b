import { promote } from '../../../automation/promotion/promote.ts';
import { differs, promotionToJson } from '../../../plan/documents/promotionDocument.ts';
import type { Ending } from '../../answer/ending.ts';
import { show } from '../../answer/show.ts';
import type { CommandContext } from '../../line/context.ts';
import type { GlobalOptions } from '../../line/options.ts';
import { exitCode } from '../../process/exitCode.ts';
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
