import { isUtf8 } from 'node:buffer';
import { resolve } from 'node:path';
import { forgeOf } from '../../../automation/forge/forgeOf.ts';
import { notKept } from '../../../automation/forge/noPlan.ts';
import { writePlanFile } from '../../../automation/savedPlan/write.ts';
import type { Ending } from '../../answer/ending.ts';
import { show } from '../../answer/show.ts';
import type { CommandContext } from '../../line/context.ts';
import { exitCode } from '../../process/exitCode.ts';
import type { FetchOptions } from './options.ts';
import { keptForm } from './schema.ts';

/** The name of the plan in the artifact. */
const planFile = 'gantry.plan';

/** Fetches the plan that the pipeline of a pull or merge request kept, after that was merged as this commit. */
export async function runFetch(context: CommandContext<FetchOptions>, file: string): Promise<Ending> {
  const { options, environment, cwd } = context;
  const forge = forgeOf(environment);
  const { bytes, change, commit } = await forge.keptFile(options.artifact, planFile);
  await writePlanFile(resolve(cwd, file), planText(bytes, options.artifact));
  await show(context, {
    document: () => keptForm.write({ forge: forge.name, change, commit, artifact: options.artifact, file }),
    text: () => `fetched  ${file}: the plan of ${change}, made from ${commit.slice(0, 12)}`,
  });
  return exitCode.ok;
}

/** Exactly what was kept: a signature is of every byte. */
function planText(bytes: Uint8Array, artifact: string): string {
  if (!isUtf8(bytes)) throw notKept(`${planFile} in ${artifact} is no plan: it is not UTF-8`);
  return Buffer.from(bytes).toString('utf8');
}
