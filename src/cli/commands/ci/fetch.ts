import { isUtf8 } from 'node:buffer';
import { rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { present } from '../../../base/json/present.ts';
import { ToolError } from '../../../base/toolError.ts';
import { writePlanFile } from '../../../gantry/savedPlan/file.ts';
import { notKept } from '../../../integrations/forge.ts';
import { forgeOf } from '../../../integrations/forgeOf.ts';
import { systemReason } from '../../../project/files/fileRefusal.ts';
import type { CommandContext } from '../../../terminal/context.ts';
import type { Ending } from '../../../terminal/ending.ts';
import { exitCode } from '../../../terminal/exitCode.ts';
import { show } from '../../../terminal/show.ts';
import { keptForm } from '../../schemas/ci.ts';
import type { FetchOptions } from './options.ts';

/** The file names in the artifact: the plan, and its signatures. */
const artifactNames = { required: 'gantry.plan', optional: 'gantry.plan.sig' } as const;

/** Fetches the plan that the pipeline of a pull or merge request stored before it was merged as this commit. */
export async function runFetch(context: CommandContext<FetchOptions>, file: string): Promise<Ending> {
  const { options, environment, cwd } = context;
  const { artifact } = options;
  const forge = forgeOf(environment);
  const { required, optional, change, commit } = await forge.keptFiles(artifact, artifactNames);
  const path = resolve(cwd, file);
  await writePlanFile(path, textIn(required, artifactNames.required, artifact));
  const signatures = `${file}.sig`;
  await putSignatures(
    `${path}.sig`,
    optional === undefined ? undefined : textIn(optional, artifactNames.optional, artifact),
  );
  await show(context, {
    document: () =>
      keptForm.write({
        forge: forge.name,
        change,
        commit,
        artifact,
        file,
        ...present({ signatures: optional === undefined ? undefined : signatures }),
      }),
    text: () => {
      const also = optional === undefined ? '' : `, with its signatures (${signatures})`;
      return `fetched  ${file}: the plan of ${change}, made from ${commit.slice(0, 12)}${also}`;
    },
  });
  return exitCode.ok;
}

/** Writes the signatures, or deletes those of an earlier plan. Errors: `saved.unwritable`. */
async function putSignatures(path: string, text: string | undefined): Promise<void> {
  try {
    if (text === undefined) await rm(path, { force: true });
    else await writeFile(path, text);
  } catch (error) {
    throw new ToolError({
      code: 'saved.unwritable',
      message: `the signatures could not be saved to ${path}: ${systemReason(error)}`,
      hint: 'Name a file in an existing folder that you can write to.',
      cause: error,
    });
  }
}

/** Exactly the stored text: a signature covers every byte. */
function textIn(bytes: Uint8Array, name: string, artifact: string): string {
  if (!isUtf8(bytes)) throw notKept(`${name} in ${artifact} is not UTF-8 text`);
  return Buffer.from(bytes).toString('utf8');
}
