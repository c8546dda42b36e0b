import { type JsonObject, own, stringAt } from '../../../base/json/json.ts';
import { present } from '../../../base/json/present.ts';
import { ToolError } from '../../../base/toolError.ts';
import { objectsIn, readTextOf } from '../../../commands/call/input.ts';
import { checkRecord } from '../../../kinds/check/registry.ts';
import { toYaml } from '../../../project/files/toYaml.ts';
import { resolveSettings } from '../../../project/settings/settings.ts';
import { readSettingsFile } from '../../../project/settings/settingsFile.ts';
import { kindNamed } from '../../../schema/record/kinds.ts';
import { contextOf, refTo } from '../../../schema/record/ref.ts';
import type { Ending } from '../../../terminal/answer/ending.ts';
import { withoutLastLineEnd } from '../../../terminal/answer/toText.ts';
import type { CommandContext } from '../../../terminal/line/context.ts';
import type { OutputOptions } from '../../../terminal/line/options.ts';
import { UsageError } from '../../../terminal/line/usageError.ts';
import { exitCode } from '../../../terminal/process/exitCode.ts';
import { renderTable } from '../../../terminal/table.ts';
import { convertCompose } from './compose.ts';
import { convertKubernetes } from './kubernetes.ts';
import { conversionForm } from './schema.ts';
import type { Converted, Note } from './source.ts';

export interface ConvertOptions extends OutputOptions {
  readonly gvc?: string;
  readonly location: readonly string[];
}

/** Prints manifests for what files of Kubernetes and Compose describe. Errors: `input.file`, `input.unknown`, `cli.usage`. */
export async function runConvert(context: CommandContext<ConvertOptions>, files: readonly string[]): Promise<Ending> {
  const { options, terminal, answer, cwd, environment } = context;
  const flags = present({ gvc: options.gvc });
  const { gvc } = resolveSettings({ flags, environment, file: await readSettingsFile(cwd) });
  if (gvc === undefined) {
    throw new UsageError(
      'the GVC of the manifests is not known',
      'Give --gvc NAME, GANTRY_GVC, or gvc in gantry.yaml.',
    );
  }
  const documents = (await Promise.all(files.map((file) => documentsIn(context, file)))).flat();
  const objects = documents.filter(({ value }) => own(value, 'services') === undefined);
  const converted: readonly Converted[] = [
    convertKubernetes(
      objects.map((each) => requireKubernetes(each)),
      gvc,
    ),
    ...documents.filter((each) => !objects.includes(each)).map(({ value }) => convertCompose(value, gvc)),
  ];
  const home: readonly JsonObject[] =
    options.location.length === 0
      ? []
      : [
          {
            kind: 'gvc',
            name: gvc,
            spec: { staticPlacement: { locationLinks: options.location.map((name) => `//location/${name}`) } },
          },
        ];
  const manifests = [...home, ...converted.flatMap((each) => each.manifests)];
  const notes = [...converted.flatMap((each) => each.notes), ...manifests.flatMap(nameNotes)];
  if (options.output !== 'text') {
    answer.document(conversionForm.write({ manifests, notes }));
    return exitCode.ok;
  }
  if (manifests.length > 0)
    terminal.result(withoutLastLineEnd((await Promise.all(manifests.map(toYaml))).join('---\n')));
  if (notes.length > 0) {
    const rows = notes.map(({ about, message }) => [about, message]);
    const look = {
      palette: terminal.messagePalette,
      width: terminal.live ? terminal.size().columns : Number.POSITIVE_INFINITY,
    };
    terminal.message(`\n${renderTable([{ title: 'NOT CONVERTED' }, { title: 'WHY' }], rows, look)}`);
  }
  return exitCode.ok;
}

/** Names that only the other platform takes. Programs may call each other by them, so nobody else can choose others. */
function nameNotes(manifest: JsonObject): readonly Note[] {
  const [kind, name = '', gvc] = [
    kindNamed(own(manifest, 'kind')),
    stringAt(manifest, 'name'),
    stringAt(manifest, 'gvc'),
  ];
  if (kind === undefined) return [];
  const { kind: _, gvc: _gvc, ...record } = manifest;
  const context = contextOf(refTo(kind, name, gvc), '');
  return checkRecord(kind, record, context, 'offline')
    .filter(({ pointer: [field] }) => field === 'name')
    .map(({ message }) => ({
      about: `${kind}/${name}`,
      message: `${message}: give it another one here, and in all that names it`,
    }));
}

interface Found {
  readonly file: string;
  readonly value: JsonObject;
}

async function documentsIn(context: CommandContext<ConvertOptions>, file: string): Promise<readonly Found[]> {
  return objectsIn(await readTextOf({ context }, file), file).map((value) => ({ file, value }));
}

function requireKubernetes({ file, value }: Found): JsonObject {
  if (own(value, 'apiVersion') !== undefined) return value;
  throw new ToolError({
    code: 'input.unknown',
    message: `${file} is neither a manifest of Kubernetes nor a Compose file`,
    hint: 'The first has apiVersion and kind, the second has services.',
  });
}
