import { basename, dirname, relative, resolve } from 'node:path';
import { compact } from '../../../base/json/present.ts';
import { counted } from '../../../base/text/counted.ts';
import { manifestsYaml, typescriptStack } from '../../../gantry/adoptionFiles.ts';
import { shortHash } from '../../../gantry/loading/hash.ts';
import { manifestsOfState, type StateManifests } from '../../../gantry/terraform/manifestsOfState.ts';
import { readStateFile } from '../../../gantry/terraform/readStateFile.ts';
import { embeddedOrg } from '../../../project/platform/platform.ts';
import { stackNameOf } from '../../../project/settings/resolveSettings.ts';
import { readSettingsFile } from '../../../project/settings/settingsFile.ts';
import { stateOwner } from '../../../provider/platform/stateIdentity.ts';
import type { CommandContext } from '../../../terminal/context.ts';
import type { Ending } from '../../../terminal/ending.ts';
import { exitCode } from '../../../terminal/exitCode.ts';
import { programName, shellWord } from '../../../terminal/nextCommand.ts';
import { printable } from '../../../terminal/printable.ts';
import { fromStateForm } from '../../schemas/terraform.ts';
import type { FromStateOptions } from './options.ts';
import { writeResult } from './writeResult.ts';

/** Writes manifests or code for the resources of a Terraform state, and lists unknown ones. */
export async function runFromState(context: CommandContext<FromStateOptions>, file: string): Promise<Ending> {
  const { options, terminal } = context;
  const resources = await readStateFile(file, context);
  const from =
    options.from ?? (await stateOwner({ environment: context.environment, cwd: folderOf(file, context.cwd) }));
  const found = manifestsOfState(resources, { hash: shortHash, org: embeddedOrg, reveal: options.reveal, from });
  const { manifests, left } = found;
  const folder = options.out === undefined ? context.cwd : dirname(resolve(context.cwd, options.out));
  const text =
    options.format === 'ts'
      ? typescriptStack(manifests, stackNameOf(basename(folder)))
      : await manifestsYaml(manifests);
  for (const { id, because } of left) terminal.message(`left out: ${printable(`${id}: ${because}`)}`);
  await writeResult(context, text, (written) =>
    fromStateForm.write({ manifests: manifests.map(({ manifest }) => manifest), skipped: left, ...written }),
  );
  terminal.message(summary(found));
  for (const line of await nextSteps(context, file, found)) terminal.message(line);
  return exitCode.ok;
}

/** The next steps, ready to type. */
async function nextSteps(
  { options, environment, cwd }: CommandContext<FromStateOptions>,
  file: string,
  { addresses }: StateManifests,
): Promise<readonly string[]> {
  if (addresses.length === 0) return [];
  const gantry = programName(environment);
  const folder = folderOf(file, cwd);
  const out = resolve(cwd, options.out ?? 'FILE');
  const { stack = environment['GANTRY_STACK'] } = await readSettingsFile(dirname(out));
  // Code contains the stack's name; manifests do not.
  const named = options.format === 'ts' || stack !== undefined ? '' : ` --stack ${stackNameOf(basename(dirname(out)))}`;
  const terraform = `terraform${folder === cwd ? '' : ` -chdir=${shellWord(relative(cwd, folder))}`}`;
  return [
    options.out === undefined
      ? `Next: the same command with --out FILE, then ${gantry} apply FILE${named}`
      : `Next: ${gantry} apply ${shellWord(options.out)}${named}`,
    `Then have Terraform forget them: ${terraform} state rm ${addresses.map(shellWord).join(' ')}`,
  ];
}

/** The folder that Terraform works in: that of a local state, else the working folder. */
function folderOf(file: string, cwd: string): string {
  const path = resolve(cwd, file);
  return file !== '-' && basename(path) === 'terraform.tfstate' ? dirname(path) : cwd;
}

function summary({ manifests, left }: StateManifests): string {
  const hidden = manifests.filter(({ placeholders }) => placeholders.length > 0).length;
  return compact([
    `${counted(manifests.length, 'resource')}, ${left.length} left out.`,
    hidden === 0
      ? undefined
      : `The values of ${counted(hidden, 'secret')} are placeholders, and stay on the platform; --reveal writes them.`,
  ]).join('\n');
}
